import { mkdir, rename, rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';

/** Platforms that the executable is made for; the runtime of each comes from a package of that name. */
const TARGETS = {
  'linux-x64': '@oven/bun-linux-x64',
  'linux-x64-baseline': '@oven/bun-linux-x64-baseline',
  'linux-arm64': '@oven/bun-linux-aarch64',
} as const;

/** Threads of the executable: each is an entry point of its own. */
const WORKERS = ['src/html/worker.ts', 'src/store/upkeep/checkpoint-worker.ts'];

const { values } = parseArgs({ options: { target: { type: 'string' } }, strict: true });
const target = values.target;
if (target !== undefined && !Object.hasOwn(TARGETS, target)) {
  throw new Error(`--target ${target}: choose one of ${Object.keys(TARGETS).join(', ')}`);
}

const outfile = target === undefined ? 'dist/lurecheck' : `dist/lurecheck-${target}`;
// The maps of its pieces stay beside the bundle.
const bundle = `dist/bundle/${target ?? 'this-machine'}`;
await rm(bundle, { recursive: true, force: true });
await mkdir(bundle, { recursive: true });
const runtime = target === undefined ? [] : await runtimeFor(target as keyof typeof TARGETS);
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
  // The executable must not run code or read settings from the folder in which it happens to be started.
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
  ...runtime,
  'src/main.ts',
  ...WORKERS,
  '--outfile',
  `${bundle}/lurecheck`,
]);
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

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if ((await child.exited) !== 0) throw new Error(`failed: ${command.slice(1).join(' ')}`);
}
