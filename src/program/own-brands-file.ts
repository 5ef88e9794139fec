import { join } from 'node:path';
import { type OwnBrand, readOwnBrands, writeOwnBrands } from '#src/analyzers/page/own-brand.ts';
import { replaceFile } from '#src/base/replace-file.ts';

const FILE_NAME = 'brands.json';

/** The brands that this box was taught; none where it was taught none. Throws an OwnBrandError for a damaged file. */
export async function readOwnBrandsFile(dataDir: string): Promise<OwnBrand[]> {
  const file = Bun.file(join(dataDir, FILE_NAME));
  return (await file.exists()) ? readOwnBrands(await file.text()) : [];
}

/** Keeps the brands in one step, so that a reader sees the old file or the new one. */
export async function writeOwnBrandsFile(dataDir: string, brands: readonly OwnBrand[]): Promise<void> {
  await replaceFile(join(dataDir, FILE_NAME), writeOwnBrands(brands));
}
