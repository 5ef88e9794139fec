import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRY_POINTS } from '../entry-points.ts';
import type { BundleMap } from './bundled-packages.ts';

/** The project's folder. */
export const ROOT = join(import.meta.dir, '../..');

/** The module that embeds what is made from the map: while the map is made, it can't be there yet. */
const EMBEDDED = /\/src\/interfaces\/cli\/licence-documents\.ts$/;

/** Set in the process that makes the map. */
const MAKING = 'LURECHECK_BUNDLE_MAP';

/** Environment variable with the path of the map, in the processes of a build that has made it. */
export const MAP_FILE = 'LURECHECK_BUNDLE_MAP_FILE';

/**
 * Bundles the program as the build does, writes nothing, and answers with the bundler's map of it. Runs as a process of
 * its own: a macro that called the bundler would wait for the very bundler that waits for the macro.
 */
if (import.meta.main) {
  process.chdir(ROOT);
  const { metafile } = await Bun.build({
    entrypoints: ENTRY_POINTS,
    target: 'bun',
    format: 'esm',
    splitting: true,
    minify: { syntax: true, whitespace: true },
    metafile: true,
    plugins: [
      {
        name: 'without what this is for',
        setup: (build) => {
          build.onLoad({ filter: EMBEDDED }, () => ({ contents: 'export const LICENCE_DOCUMENTS = {}', loader: 'ts' }));
        },
      },
    ],
  });
  process.stdout.write(JSON.stringify(withPage(metafile ?? { outputs: {} }, await pageMap())));
}

/** The map of the web page, which the program carries as text: its own map does not show what it is made of. */
export async function pageMap(): Promise<BundleMap> {
  const { metafile } = await Bun.build({
    entrypoints: ['src/interfaces/ui/app.ts', 'src/interfaces/ui/reader/message-worker.ts'],
    root: ROOT,
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    metafile: true,
  });
  if (!metafile) throw new Error('the bundler made no map of the web page');
  return metafile;
}

/** The map of the program with that of the page within it. */
export function withPage(program: BundleMap, page: BundleMap): BundleMap {
  return { outputs: { ...program.outputs, ...page.outputs } };
}

let made: BundleMap | undefined;

/** Returns the map of the bundle of this source, made once. Throws an Error with the message of the bundler. */
export function bundleMap(): BundleMap {
  made ??= JSON.parse(makeMap()) as BundleMap;
  return made;
}

function makeMap(): string {
  const file = process.env[MAP_FILE];
  if (file !== undefined) return readFileSync(file, 'utf8');
  // Without this, an embedding module that EMBEDDED misses would start process after process without end.
  if (process.env[MAKING] !== undefined) throw new Error(`EMBEDDED does not match the module that embeds the map`);
  const { success, stdout, stderr } = Bun.spawnSync([process.execPath, import.meta.path], {
    env: { ...process.env, NODE_ENV: 'production', [MAKING]: 'yes' },
  });
  if (!success) throw new Error(`the program could not be bundled: ${stderr.toString()}`);
  return stdout.toString();
}
