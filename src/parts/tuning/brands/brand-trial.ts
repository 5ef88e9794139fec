import { setImmediate } from 'node:timers/promises';
import { defaultAssessSettings, withConfiguredBrands } from '#src/admin/active/models.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { Models } from '#src/engine/assess/settings.ts';
import type { Decision } from '#src/engine/fusion/fuse.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { type SyntheticAttack, syntheticAttacks } from './synthetic-attacks.ts';

/** An attack with its verdict by URL alone. */
export interface TriedAttack extends SyntheticAttack {
  readonly probability: number;
  readonly decision: Decision;
}

/** Verdicts on attacks on a brand, and on the brand itself. */
export interface BrandTrial {
  readonly name: string;
  readonly attacks: readonly TriedAttack[];
  /** A sign-in page on each of its own domains. */
  readonly own: readonly TriedAttack[];
}

/** Classifies synthetic attacks on a configured brand, without network lookups. */
export function tryAttacks(brand: ConfiguredBrand, models: Models): BrandTrial {
  const settings = defaultAssessSettings(models);
  const observations = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });
  const tryOut = (attack: SyntheticAttack): TriedAttack[] => {
    const target = parseTarget(attack.url);
    // A name that is too long for a host with something beside it cannot be attacked so.
    if (isTargetProblem(target)) return [];
    const { verdict, decision } = assess(target, observations, models, settings);
    return [{ ...attack, probability: verdict.probability, decision }];
  };
  const logins = brand.domains.map((domain) => {
    const host = domain.includes(':') ? `[${domain}]` : domain;
    return { url: `https://${host}/login`, trick: 'one of its own domains' };
  });
  return { name: brand.name, attacks: syntheticAttacks(brand).flatMap(tryOut), own: logins.flatMap(tryOut) };
}

/** Returns true if an attack is warned about or blocked. */
export function isAlarm({ decision }: Pick<TriedAttack, 'decision'>): boolean {
  return decision !== 'allow';
}

/** Returns verdicts as programs read them. */
export function trialRow({ name, attacks, own }: BrandTrial) {
  const row = ({ url, trick, probability, decision }: TriedAttack) => ({
    ...{ url, trick, malicious_probability: probability, decision },
  });
  return { name, attacks: attacks.map(row), own: own.map(row) };
}

/** Effect of a change of the configured brands, as programs read it. */
export type BrandEffect = Awaited<ReturnType<typeof brandEffect>>;

/** Tries attacks on a brand as the brands are and as they will be. Each step takes milliseconds; together they would keep requests waiting. */
export async function brandEffect(
  brand: ConfiguredBrand,
  models: Models,
  before: readonly ConfiguredBrand[],
  after: readonly ConfiguredBrand[],
) {
  await setImmediate();
  const was = tryAttacks(brand, withConfiguredBrands(models, before));
  await setImmediate();
  const will = tryAttacks(brand, withConfiguredBrands(models, after));
  const earlier = new Map([...was.attacks, ...was.own].map(({ url, decision }) => [url, decision]));
  const { attacks, own } = trialRow(will);
  return {
    synthetic_attacks: {
      tried: attacks.length,
      detected_before: was.attacks.filter(isAlarm).length,
      detected_after: attacks.filter(isAlarm).length,
      own_alarmed: own.filter(isAlarm).length,
      examples: [...attacks, ...own].map((one) => ({ ...one, before: earlier.get(one.url) ?? ('allow' as const) })),
    },
  };
}
