import { mkdir, rename, rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ENTRY_POINTS } from './entry-points.ts';
import { bundleMap, ROOT } from './licences/bundle-map.ts';
import { type BundleMap, packagesIn } from './licences/bundled-packages.ts';
import { carried } from './licences/carried.ts';

/** Platforms that the executable is made for; the runtime of each comes from a package of that name. */
const TARGETS = {
  'linux-x64': '@oven/bun-linux-x64',
  'linux-x64-baseline': '@oven/bun-linux-x64-baseline',
  'linux-arm64': '@oven/bun-linux-aarch64',
} as const;

const { values } = parseArgs({ options: { target: { type: 'string' }, runtime: { type: 'string' } }, strict: true });
const target = values.target;
if (target !== undefined && !Object.hasOwn(TARGETS, target)) {
  throw new Error(`--target ${target}: choose one of ${Object.keys(TARGETS).join(', ')}`);
}

// What lacks a licence text or a source is told here, and not in the bundler's words.
carried();
const outfile = target === undefined ? 'dist/lurecheck' : `dist/lurecheck-${target}`;
// The maps of its pieces stay beside the bundle.
const bundle = `dist/bundle/${target ?? 'this-machine'}`;
await rm(bundle, { recursive: true, force: true });
await mkdir(bundle, { recursive: true });
const runtime = target === undefined ? [] : await runtimeFor(target as keyof typeof TARGETS);
// Whoever changed a library that is linked into the runtime may put theirs in its place.
if (values.runtime !== undefined) runtime.push(`--compile-executable-path=${values.runtime}`);
await run([
  process.execPath,
  'build',
  '--compile',
  // What `import()` names is a piece of its own; in one piece, everything would be evaluated at every start.
  '--splitting',
  '--bytecode',
  '--format=esm',
  // Never --minify-identifiers: Elysia finds one of its errors by class name.
  '--minify-syntax',
  '--minify-whitespace',
  '--sourcemap=linked',
  `--metafile=${bundle}/map.json`,
  // The executable must not run code or read settings from the folder in which it happens to be started.
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
  ...runtime,
  ...ENTRY_POINTS,
  '--outfile',
  `${bundle}/lurecheck`,
]);
checkNotices(await Bun.file(`${bundle}/map.json`).json());
await rename(`${bundle}/lurecheck`, outfile);
process.stdout.write(`${outfile}\n`);

/** The runtime of another platform out of its package, which the bundler would otherwise download from a fixed place. */
async function runtimeFor(name: keyof typeof TARGETS): Promise<string[]> {
  const folder = `dist/runtime/${name}`;
  await mkdir(folder, { recursive: true });
  await Bun.write(`${folder}/package.json`, '{"private":true}');
  const cpu = name === 'linux-arm64' ? 'arm64' : 'x64';
  const add = ['add', '--exact', '--os=linux', `--cpu=${cpu}`, '--cwd', folder, `${TARGETS[name]}@${Bun.version}`];
  await run([process.execPath, ...add]);
  return [`--target=bun-${name}`, `--compile-executable-path=${folder}/node_modules/${TARGETS[name]}/bin/bun`];
}

/** What the executable tells of itself was made from a bundle of its own: this one must hold the same packages. */
function checkNotices(built: BundleMap): void {
  const [inside, told] = [built, bundleMap()].map((map) =>
    packagesIn(map, ROOT)
      .map(({ folder }) => folder)
      .join(),
  );
  if (inside !== told) throw new Error(`the notices tell of ${told}, but in the executable are ${inside}`);
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if ((await child.exited) !== 0) throw new Error(`failed: ${command.slice(1).join(' ')}`);
}
