import { generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { archiveName, type MadeVersion, sourceFiles, VERSIONS } from './two-releases.ts';

const MIGRATION = 'CREATE TABLE `of_a_later_version` (`id` integer PRIMARY KEY NOT NULL) STRICT;\n';

/** Builds the executables of all versions, which believe one key, and their archives, unless the folder exists. */
async function makeVersions(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  // Those of another state of the source.
  rmSync(dirname(folder), { recursive: true, force: true });
  const work = join(dirname(folder), `${basename(folder)}.part`);
  const source = join(work, 'source');
  await copySource(source);
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(join(work, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(join(source, '.ci/release-keys.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  for (const made of VERSIONS) {
    const name = archiveName(made.version);
    const program = join(work, name, 'lurecheck');
    await build(source, made, program);
    await run(['tar', '--use-compress-program=gzip -1', '-cf', `${name}.tar.gz`, name], work);
  }
  rmSync(source, { recursive: true });
  renameSync(work, folder);
}

async function copySource(to: string): Promise<void> {
  for (const path of sourceFiles()) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(path, join(to, path));
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(to, 'node_modules'));
}

async function build(source: string, made: MadeVersion, to: string): Promise<void> {
  const changes: Readonly<Record<string, (text: string) => string>> = {
    'package.json': (text) => text.replace(/"version": "[^"]+"/, `"version": "${made.version}"`),
    ...(made.migrates && {
      'src/checks/store/file/migrate.ts': (text: string) =>
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

await makeVersions(process.argv[2] ?? '');
