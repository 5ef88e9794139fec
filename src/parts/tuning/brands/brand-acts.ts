import { changeConfiguredBrandsFile, readConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import type { OperatorAct } from '#src/admin/audit/act.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import { NewBrandSchema } from './brand-inputs.ts';
import { addingBrand, findBrand, type WantedBrand } from './change-brands.ts';

/** An addition to the brands, as they are when it is made. */
interface BrandAddition {
  readonly name: string;
  readonly add: (brands: readonly ConfiguredBrand[]) => readonly ConfiguredBrand[];
}

/** Adds a configured brand. `prepare` throws ConfiguredBrandError for a name or domain that cannot be that of a brand. */
export const ADD_BRAND: OperatorAct<WantedBrand, BrandAddition, void> = {
  name: 'brand.add',
  scope: 'admin',
  input: NewBrandSchema,
  files: ['brands'],
  async prepare(brand, { dataDir }) {
    const add = await addingBrand(brand);
    add(readConfiguredBrandsFile(dataDir));
    return { name: brand.name, add };
  },
  audit: ({ name }) => ({ subject: name }),
  // The brands of the fleet are read at the last moment.
  commit: async ({ add }, { dataDir }) => changeConfiguredBrandsFile(dataDir, add),
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
    changeConfiguredBrandsFile(dataDir, (brands) => brands.filter((brand) => brand.name !== name));
  },
};
