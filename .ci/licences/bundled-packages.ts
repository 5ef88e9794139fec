import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of which something is in the bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string;
  /** Where it is installed. */
  readonly folder: string;
}

/** What the bundler says of a bundle (`--metafile`): for each output the files of which it has a part, in bytes. */
export interface BundleMap {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

/** The name under which the innermost `node_modules` of a path has a package, and the path up to there. */
const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//s;

/**
 * The packages of which the bundle has at least one byte, by name and version. Files that are embedded as they are count
 * too, which no source map shows.
 *
 * @param root folder to which the paths of the map are relative
 * @throws Error where a package does not say its version or licence.
 */
export function packagesIn(map: BundleMap, root: string): BundledPackage[] {
  const folders = filesIn(map).flatMap((path) => PACKAGE.exec(path)?.[1] ?? []);
  const packages = [...new Set(folders)].map((folder) => readPackage(join(root, folder)));
  const byIdentity = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byIdentity].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** The files of which the bundle has at least one byte, in byte order. */
export function filesIn({ outputs }: BundleMap): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const paths = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? path : []));
  return [...new Set(paths)].toSorted();
}

function readPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof name !== 'string' || typeof version !== 'string' || typeof license !== 'string') {
    throw new Error(`${folder}/package.json must name its name, version and licence`);
  }
  return { name, version, licence: license, folder };
}
