import { join } from 'node:path';
import { ENTRY_POINTS } from '../entry-points.ts';
import type { BundleMap } from './bundled-packages.ts';

/** The project's folder. */
export const ROOT = join(import.meta.dir, '../..');

/** The module that embeds what is made from the map: while the map is made, it can't be there yet. */
const EMBEDDED = /\/src\/cli\/carried\.ts$/;

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
          build.onLoad({ filter: EMBEDDED }, () => ({ contents: 'export const CARRIED = {}', loader: 'ts' }));
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

/** The map of the bundle of this very source. Throws an Error with the bundler's words where it cannot be bundled. */
export function bundleMap(): BundleMap {
  const { success, stdout, stderr } = Bun.spawnSync([process.execPath, import.meta.path], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (!success) throw new Error(`the program could not be bundled: ${stderr.toString()}`);
  return JSON.parse(stdout.toString());
}
