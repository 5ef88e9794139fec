import { join } from 'node:path';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readIfExists, replaceLocked } from '#src/core/base/files/locked-file.ts';
import { unusableFile } from '#src/core/base/files/named-file.ts';
import {
  type ConfiguredBrand,
  ConfiguredBrandError,
  formatConfiguredBrands,
  parseConfiguredBrands,
} from '#src/engine/analyzers/page/configured-brand.ts';

/** Returns the path of the file of configured brands. */
export function brandsFileIn(dataDir: string): string {
  return join(dataDir, 'brands.json');
}

/** Returns the configured brands; none without a file. Throws OperationError if it cannot be read, or is damaged. */
export function readConfiguredBrandsFile(dataDir: string): ConfiguredBrand[] {
  const path = brandsFileIn(dataDir);
  return readConfiguredBrandsText(readIfExists(path, 'brands'), path);
}

/** The brands in a text; none for null. Throws OperationError that names `path` for a text that holds something else. */
export function readConfiguredBrandsText(text: string | null, path: string): ConfiguredBrand[] {
  try {
    return text === null ? [] : parseConfiguredBrands(text);
  } catch (cause) {
    if (!(cause instanceof ConfiguredBrandError)) throw cause;
    throw new OperationError('file_damaged', [unusableFile(path, 'brands', `is damaged: ${cause.message}`)], { cause });
  }
}

/**
 * Replaces the brands atomically by what `change` makes of them.
 *
 * @throws OperationError if the file cannot be read or written; FileBusyError if another process is changing it
 */
export function changeConfiguredBrandsFile(
  dataDir: string,
  change: (brands: readonly ConfiguredBrand[]) => readonly ConfiguredBrand[],
): void {
  replaceLocked(brandsFileIn(dataDir), 'brands', () =>
    formatConfiguredBrands(change(readConfiguredBrandsFile(dataDir))),
  );
}
