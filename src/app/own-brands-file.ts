import { join } from 'node:path';
import { type OwnBrand, OwnBrandError, readOwnBrands, writeOwnBrands } from '#src/engine/analyzers/page/configured-brand.ts';
import { readIfThere } from '#src/core/base/files/locked-file.ts';
import { replaceFile } from '#src/core/base/files/replace-file.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { unusableFile } from '#src/core/base/files/unusable-file.ts';

/** The file of the configured brands. */
export function brandsFileIn(dataDir: string): string {
  return join(dataDir, 'brands.json');
}

/** Returns the configured brands; none without a file. Throws SettingsError if it cannot be read, or is damaged. */
export function readOwnBrandsFile(dataDir: string): OwnBrand[] {
  const path = brandsFileIn(dataDir);
  const text = readIfThere(path, 'brands');
  try {
    return text === null ? [] : readOwnBrands(text);
  } catch (cause) {
    if (!(cause instanceof OwnBrandError)) throw cause;
    throw new SettingsError([unusableFile(path, 'brands', `is damaged: ${cause.message}`)], { cause });
  }
}

/** Keeps the brands in one step, so that a reader sees the old file or the new one. */
export async function writeOwnBrandsFile(dataDir: string, brands: readonly OwnBrand[]): Promise<void> {
  await replaceFile(brandsFileIn(dataDir), writeOwnBrands(brands));
}
