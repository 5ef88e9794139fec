import { Type } from '@sinclair/typebox';
import { changeConfiguredBrandsFile, readConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import type { OperatorAct, PreviewedAct } from '#src/admin/audit/act.ts';
import type { OwnPictures } from '#src/checks/store/pictures/own-picture.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import type { Models } from '#src/engine/assess/settings.ts';
import type { BrandEffect } from './brand-trial.ts';
import type { WantedBrand } from './change-brands.ts';

/** Maximum length of a saved page, in characters. */
const MAX_PAGE_LENGTH = 400_000;

/** Input of {@link ADD_BRAND} in a request. */
export const NewBrandSchema = Type.Object(
  {
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 80, description: 'Name; by default the name of the first domain' }),
    ),
    domains: Type.Optional(
      Type.Array(Type.String({ maxLength: 253 }), { minItems: 1, maxItems: 100, description: 'Domains of the brand' }),
    ),
    domain: Type.Optional(Type.String({ maxLength: 253, description: 'Domain of the page in `html`' })),
    html: Type.Optional(
      Type.String({
        maxLength: MAX_PAGE_LENGTH,
        description: 'The sign-in page as a browser saved it, so that copies of it are recognized',
      }),
    ),
  },
  { $id: 'NewBrand', additionalProperties: false, description: 'A brand, by `domains`, or by `html` and `domain`' },
);

/** An addition to the brands, as they are when it is made. */
interface BrandAddition {
  readonly name: string;
  readonly add: (brands: readonly ConfiguredBrand[]) => readonly ConfiguredBrand[];
  readonly pictures: OwnPictures;
}

/** The data directory and the active models, on which a change of brands is tried. */
interface BrandView {
  readonly dataDir: string;
  readonly scoring: () => { readonly models: Models };
}

type BrandAct<Input, Draft> = OperatorAct<Input, Draft, void> & PreviewedAct<Draft, BrandEffect, BrandView>;

/** Adds a configured brand. `prepare` throws ConfiguredBrandError for a name or domain that cannot be that of a brand. */
export const ADD_BRAND = {
  name: 'brand.add',
  scope: 'admin',
  input: NewBrandSchema,
  files: ['brands'],
  async prepare(brand, { dataDir }) {
    const { addingBrand } = await import('./change-brands.ts');
    const add = await addingBrand(brand);
    add(readConfiguredBrandsFile(dataDir));
    return { name: brand.name, add, pictures: brand.seen?.pictures ?? new Map() };
  },
  audit: ({ name }) => ({ subject: name }),
  async preview({ name, add }, view) {
    const before = readConfiguredBrandsFile(view.dataDir);
    return await effectOf(name, before, add(before), view);
  },
  // The brands of the fleet are read at the last moment.
  async commit({ add, pictures }, { dataDir }) {
    if (pictures.size > 0)
      await (await import('#src/checks/store/pictures/own-picture.ts')).addOwnPictures(dataDir, pictures);
    changeConfiguredBrandsFile(dataDir, add);
  },
} as const satisfies BrandAct<WantedBrand, BrandAddition>;

/** Removes the configured brand of a name, in any case. */
export const REMOVE_BRAND = {
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
  async preview(name, view) {
    const before = readConfiguredBrandsFile(view.dataDir);
    return await effectOf(name, before, without(before, name), view);
  },
  async commit(name, { dataDir }) {
    changeConfiguredBrandsFile(dataDir, (brands) => without(brands, name));
    const left = readConfiguredBrandsFile(dataDir).flatMap(({ looks = [] }) => looks.map(({ picture }) => picture));
    (await import('#src/checks/store/pictures/own-picture.ts')).keepOwnPictures(dataDir, new Set(left));
  },
} as const satisfies BrandAct<string, string>;

const without = (brands: readonly ConfiguredBrand[], name: string) => brands.filter((brand) => brand.name !== name);

/** Tries attacks on a brand with the configured brands before and after a change. */
async function effectOf(
  name: string,
  before: readonly ConfiguredBrand[],
  after: readonly ConfiguredBrand[],
  { scoring }: BrandView,
): Promise<BrandEffect> {
  const { brandEffect } = await import('./brand-trial.ts');
  const brand = findBrand(after, name) ?? findBrand(before, name);
  if (brand === undefined) throw new TypeError('the change is about no brand');
  return await brandEffect(brand, scoring().models, before, after);
}

/** Returns the configured brand of a name, in any case; undefined if there is none. */
export function findBrand(known: readonly ConfiguredBrand[], name: string): ConfiguredBrand | undefined {
  return known.find((other) => other.name.toLowerCase() === name.trim().toLowerCase());
}

/** Returns a brand as programs read it: how many pages, not their fingerprints. */
export function brandRow({ name, domains, pages }: ConfiguredBrand) {
  return { name, domains: [...domains], pages: pages.length };
}
