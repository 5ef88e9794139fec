import type { Feature } from './analyzer.ts';
import type { JudgedBrand, NamedBrandFeature } from './brand-judge.ts';
import type { JudgedPage } from './page.ts';

/** How surely each sign means that somebody imitates the brand. Set by hand. */
const SURENESS: Readonly<Record<NamedBrandFeature, number>> = {
  'brand.own_domain': 0,
  'brand.domain_in_host': 1,
  'brand.look_alike': 1,
  'brand.name_in_subdomain': 1,
  'brand.name_with_addition': 1,
  'brand.name_on_platform': 1,
  'brand.name_inside_word': 0.8,
  'brand.misspelling': 1,
  'brand.common_word_with_cause': 0.8,
  'brand.other_suffix': 0.9,
  'brand.name_in_path': 0.3,
  'brand.name_before_at': 1,
};

/** An imitation of a brand that the operator taught weighs more than one of any other: it is what is aimed at this box. */
export function ownBrandImitated(
  findings: readonly JudgedBrand[],
  page: JudgedPage | null,
): Feature<'brand.taught_imitated'> | null {
  let [value, message] = [0, ''];
  for (const { brand, feature } of findings) {
    const sureness = brand.isTaught ? SURENESS[feature.name] * feature.value : 0;
    if (sureness > value) [value, message] = [sureness, `this box was taught to watch over ${brand.name}`];
  }
  const clone = page?.evidence.features.find(({ name }) => name === 'page.own_brand_clone');
  if (clone !== undefined && clone.value > value) {
    [value, message] = [clone.value, 'this box was taught to watch over the brand whose page this looks like'];
  }
  return value === 0 ? null : { name: 'brand.taught_imitated', value, message };
}
