import { bundleMap, ROOT } from './bundle-map.ts';
import { filesIn, packagesIn } from './bundled-packages.ts';
import { bundledData } from './data.ts';
import { composeNotices } from './notices.ts';
import { readRuntime } from './runtime.ts';
import { composeSbom } from './sbom.ts';

/** Documents on the software and data in the executable. */
export interface LicenceDocuments {
  /** The notices, as text. */
  readonly notices: string;
  /** The software bill of materials, CycloneDX 1.6 as JSON. */
  readonly sbom: string;
}

/**
 * Composes both documents from one inventory of the bundle. Runs at build time, because the executable does not contain the
 * packages.
 *
 * @throws Error for anything in the bundle that lacks a licence text, a version or a source.
 */
export function licenceDocuments(): LicenceDocuments {
  const map = bundleMap();
  const inventory = { packages: packagesIn(map, ROOT), runtime: readRuntime(), data: bundledData(filesIn(map)) };
  return { notices: composeNotices(inventory), sbom: composeSbom(inventory) };
}
