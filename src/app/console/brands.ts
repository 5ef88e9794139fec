import { setImmediate } from 'node:timers/promises';
import { readConfiguredBrandsFile } from '#src/admin/active/configured-brands-file.ts';
import { withConfiguredBrands } from '#src/admin/active/models.ts';
import { perform } from '#src/admin/audit/act.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import { ADD_BRAND, REMOVE_BRAND } from '#src/parts/tuning/brands/brand-acts.ts';
import { trialRow, tryAttacks } from '#src/parts/tuning/brands/brand-trial.ts';
import { addingBrand, brandRow, findBrand, readBrandPage } from '#src/parts/tuning/brands/change-brands.ts';
import type { BrandOperations } from '#src/service/server/admin/brand-routes.ts';
import { type ConsoleService, consolePlace } from './console-service.ts';

/** Returns what the console does with configured brands. */
export function consoleBrands(service: ConsoleService): BrandOperations {
  const dataDir = () => service.running().data_dir;
  const known = () => readConfiguredBrandsFile(dataDir());
  const models = () => service.engine.scoringContext().models;

  /** Verdicts on synthetic attacks on a brand where `brands` are configured. */
  const tried = (brand: ConfiguredBrand, brands: readonly ConfiguredBrand[]) =>
    trialRow(tryAttacks(brand, withConfiguredBrands(models(), brands)));

  async function effect(brand: ConfiguredBrand, next: readonly ConfiguredBrand[]) {
    // Each step takes milliseconds; together they would keep requests waiting.
    await setImmediate();
    const before = tried(brand, known());
    await setImmediate();
    return { before, after: tried(brand, next) };
  }

  return {
    list: async () => known().map((brand) => ({ ...brandRow(brand), stored: brand })),
    async find(name) {
      const brand = findBrand(known(), name);
      return brand ? { ...brandRow(brand), stored: brand } : null;
    },
    readPage(html, domain) {
      return readBrandPage(new TextEncoder().encode(html), domain);
    },
    async preview(wanted) {
      const add = await addingBrand(wanted);
      const brands = add(known());
      const brand = findBrand(brands, wanted.name);
      if (brand === undefined) throw new TypeError('the brand was not added');
      return await effect(brand, brands);
    },
    async previewRemoval(name) {
      const brand = findBrand(known(), name);
      if (brand === undefined) return null;
      const others = known().filter((other) => other.name !== brand.name);
      return await effect(brand, others);
    },
    add: (by, brand) => perform(ADD_BRAND, consolePlace(service), by, brand),
    remove: (by, name) => perform(REMOVE_BRAND, consolePlace(service), by, name),
  };
}
