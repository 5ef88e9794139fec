import { join } from 'node:path';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { readIfExists } from '#src/core/base/files/locked-file.ts';
import { replaceFile } from '#src/core/base/files/replace-file.ts';
import { unusableFile } from '#src/core/base/files/unusable-file.ts';
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

/** Writes the brands atomically. */
export async function writeConfiguredBrandsFile(dataDir: string, brands: readonly ConfiguredBrand[]): Promise<void> {
  await replaceFile(brandsFileIn(dataDir), formatConfiguredBrands(brands));
}
