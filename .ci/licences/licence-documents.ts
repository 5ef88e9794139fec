import { bundleMap, ROOT } from './bundle-map.ts';
import { filesIn, packagesIn } from './bundled-packages.ts';
import { carriedData } from './data.ts';
import { composeNotices } from './notices.ts';
import { readRuntime } from './runtime.ts';
import { composeSbom } from './sbom.ts';

/** What the executable can tell of what it is made of. */
export interface Carried {
  /** The notices, as text. */
  readonly notices: string;
  /** The software bill of materials, CycloneDX 1.6 as JSON. */
  readonly sbom: string;
}

/**
 * Both from one list, of what is in the bundle. Run when the program is bundled, which is when the packages are at hand;
 * the executable holds the texts alone.
 *
 * @throws Error for anything in the bundle that lacks a licence text, a version or a source.
 */
export function carried(): Carried {
  const map = bundleMap();
  const inventory = { packages: packagesIn(map, ROOT), runtime: readRuntime(), data: carriedData(filesIn(map)) };
  return { notices: composeNotices(inventory), sbom: composeSbom(inventory) };
}
