import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ENTRY_POINTS } from './entry-points.ts';
import { bundleMap, MAP_FILE, pageMap, ROOT, withPage } from './licences/bundle-map.ts';
import { type BundleMap, packagesIn } from './licences/bundled-packages.ts';
import { licenceDocuments } from './licences/licence-documents.ts';
import { run } from './run-command.ts';
import { isTarget, RUNTIMES, runtimeOf } from './runtimes.ts';

const { values } = parseArgs({ options: { target: { type: 'string' }, runtime: { type: 'string' } }, strict: true });
const { target } = values;
if (target !== undefined && !isTarget(target)) {
  throw new Error(`--target ${target}: choose one of ${Object.keys(RUNTIMES).join(', ')}`);
}

// Reports what lacks a licence text or a source before the bundler does.
licenceDocuments();
const outfile = target === undefined ? 'dist/lurecheck' : `dist/lurecheck-${target}`;
const bundle = `dist/bundle/${target ?? 'this-machine'}`;
await rm(bundle, { recursive: true, force: true });
await mkdir(bundle, { recursive: true });
// For the notices in the executable, which the bundler embeds in a process of its own.
const mapFile = join(ROOT, bundle, 'source-map.json');
await Bun.write(mapFile, JSON.stringify(bundleMap()));
process.env[MAP_FILE] = mapFile;
// Whoever changed a library that is linked into the runtime may put theirs in its place.
const runtime = values.runtime ?? (target === undefined ? undefined : await runtimeOf(target));
await run([
  process.execPath,
  'build',
  '--compile',
  // What `import()` names is a piece of its own; in one piece, everything would be evaluated at every start.
  '--splitting',
  '--bytecode',
  '--format=esm',
  // Threads start by the paths that their entry points have in it; what is common to them is not always this folder.
  '--root=src',
  // Code of a start runs once, and is not worth compiling to machine code. Commands set the policy back to 1.
  '--compile-jit-policy=128',
  // Never --minify-identifiers: Elysia finds one of its errors by class name.
  '--minify-syntax',
  '--minify-whitespace',
  `--metafile=${bundle}/map.json`,
  // The executable must not run code or read settings from the folder in which it happens to be started.
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
  ...(target === undefined ? [] : [`--target=bun-${target}`]),
  ...(runtime === undefined ? [] : [`--compile-executable-path=${runtime}`]),
  ...ENTRY_POINTS,
  '--outfile',
  `${bundle}/lurecheck`,
]);
checkNotices(withPage(await Bun.file(`${bundle}/map.json`).json(), await pageMap()));
await rename(`${bundle}/lurecheck`, outfile);
process.stdout.write(`${outfile}\n`);

/** What the executable tells of itself was made from a bundle of its own: this one must hold the same packages. */
function checkNotices(built: BundleMap): void {
  const [inside, listed] = [built, bundleMap()].map((map) =>
    packagesIn(map, ROOT)
      .map(({ folder }) => folder)
      .join(),
  );
  if (inside !== listed) throw new Error(`the notices list ${listed}, but the executable contains ${inside}`);
}
