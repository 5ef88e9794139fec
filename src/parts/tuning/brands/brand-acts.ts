import { readConfiguredBrandsFile, writeConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import type { OperatorAct } from '#src/admin/audit/act.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { NewBrandSchema } from './brand-inputs.ts';
import { findBrand, withBrand } from './change-brands.ts';

/** A brand to be added; domains and pages are added to those of a known one. */
export interface WantedBrand {
  readonly name: string;
  readonly domains: readonly string[];
  readonly pages: readonly PageDocument[];
}

/** Adds a configured brand. `prepare` throws ConfiguredBrandError for a name or domain that cannot be that of a brand. */
export const ADD_BRAND: OperatorAct<WantedBrand, WantedBrand, void> = {
  name: 'brand.add',
  scope: 'admin',
  input: NewBrandSchema,
  files: ['brands'],
  async prepare(brand, { dataDir }) {
    await added(dataDir, brand);
    return brand;
  },
  audit: ({ name }) => ({ subject: name }),
  // The brands of the fleet are read at the last moment.
  commit: async (brand, { dataDir }) => writeConfiguredBrandsFile(dataDir, await added(dataDir, brand)),
};

/** Removes the configured brand of a name, in any case. */
export const REMOVE_BRAND: OperatorAct<string, string, void> = {
  name: 'brand.remove',
  scope: 'admin',
  input: null,
  files: ['brands'],
  async prepare(name, { dataDir }) {
    const brand = findBrand(readConfiguredBrandsFile(dataDir), name);
    if (brand) return brand.name;
    throw new OperationError('brand_not_found', [`brand not found: "${name}"; see lurecheck brand list`]);
  },
  audit: (name) => ({ subject: name }),
  async commit(name, { dataDir }) {
    const others = readConfiguredBrandsFile(dataDir).filter((brand) => brand.name !== name);
    await writeConfiguredBrandsFile(dataDir, others);
  },
};

const added = (dataDir: string, { name, domains, pages }: WantedBrand) =>
  withBrand(readConfiguredBrandsFile(dataDir), name, domains, pages);
