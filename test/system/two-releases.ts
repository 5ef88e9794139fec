import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A version that is made of this source for a test. */
export interface MadeVersion {
  readonly version: string;
  /** Whether it has one more step of the schema, so that an older one refuses its files. */
  readonly migrates?: boolean;
  /** Whether its service ends once it has opened its logs. */
  readonly isBroken?: boolean;
}

/** Executables of several versions that believe one key, and releases of them, signed by it. */
export interface MadeReleases {
  /** Path of an executable. */
  program(version: string): string;
  /** Path of the archive of a release, its signed list beside it. */
  archive(version: string): string;
  /** Puts any file into a folder of its own, with a signed list that names it; its path. */
  release(name: string, bytes: Uint8Array): string;
}

const TARGET = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64';

const MIGRATION = 'CREATE TABLE `of_a_later_version` (`id` integer PRIMARY KEY NOT NULL) STRICT;\n';

/** Builds executables, and releases of them, in a folder. */
export async function makeReleases(folder: string, versions: readonly MadeVersion[]): Promise<MadeReleases> {
  const keys = generateKeyPairSync('ed25519');
  const source = join(folder, 'source');
  await copySource(source);
  writeFileSync(join(source, '.ci/release-keys.pem'), keys.publicKey.export({ type: 'spki', format: 'pem' }));
  const program = (version: string) => join(folder, version, 'lurecheck');
  const nameOf = (version: string) => `lurecheck-${version}-${TARGET}`;
  const release = (name: string, bytes: Uint8Array) => {
    const into = join(folder, 'released', name);
    mkdirSync(into, { recursive: true });
    const sums = `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
    writeFileSync(join(into, name), bytes);
    writeFileSync(join(into, 'SHA256SUMS'), sums);
    writeFileSync(join(into, 'SHA256SUMS.sig'), sign(null, Buffer.from(sums), keys.privateKey));
    return join(into, name);
  };
  const archives = new Map<string, string>();
  for (const made of versions) {
    const { version } = made;
    await build(source, made, program(version));
    const [draft, name] = [join(folder, 'draft'), nameOf(version)];
    mkdirSync(join(draft, name), { recursive: true });
    cpSync(program(version), join(draft, name, 'lurecheck'));
    await run(['tar', '--use-compress-program=gzip -1', '-cf', `${name}.tar.gz`, name], draft);
    archives.set(version, release(`${name}.tar.gz`, readFileSync(join(draft, `${name}.tar.gz`))));
  }
  return { program, archive: (version) => archives.get(version) ?? '', release };
}

async function copySource(to: string): Promise<void> {
  const listed = await run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], '.');
  for (const path of listed.split('\0').filter((name) => name !== '' && !name.startsWith('test/'))) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(path, join(to, path));
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(to, 'node_modules'));
}

async function build(source: string, made: MadeVersion, to: string): Promise<void> {
  const changes: Readonly<Record<string, (text: string) => string>> = {
    'package.json': (text) => text.replace(/"version": "[^"]+"/, `"version": "${made.version}"`),
    ...(made.migrates && {
      'src/checks/store/file/migrations.ts': (text: string) =>
        text
          .replace(
            /^(import exported.*)$/m,
            "$1\nimport later from '../../../../drizzle/sql/0099_later.sql' with { type: 'text' };",
          )
          .replace(/^];$/m, "  { name: '0099_later', sql: later },\n];"),
    }),
    ...(made.isBroken && {
      'src/interfaces/cli/commands/serve.ts': (text: string) =>
        text.replace(/^(\s*await log\.ready\()/m, "    throw new Error('broken on purpose');\n$1"),
    }),
  };
  writeFileSync(join(source, 'drizzle/sql/0099_later.sql'), MIGRATION);
  const before = Object.keys(changes).map((path) => [path, readFileSync(join(source, path), 'utf8')] as const);
  for (const [path, text] of before) {
    const changed = changes[path]?.(text) ?? text;
    if (path !== 'package.json' && changed === text) throw new Error(`${path} is not what was expected`);
    writeFileSync(join(source, path), changed);
  }
  await run([process.execPath, '.ci/build.ts'], source);
  for (const [path, text] of before) writeFileSync(join(source, path), text);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(join(source, 'dist/lurecheck'), to);
}

async function run(command: readonly string[], cwd: string): Promise<string> {
  const child = Bun.spawn([...command], { cwd, stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}
