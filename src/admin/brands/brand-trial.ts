import type { OwnBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { Models } from '#src/engine/assess/models.ts';
import type { Decision } from '#src/engine/fusion/decide.ts';
import { unobserved } from '#src/network/probes/observations.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { type MadeUpAttack, madeUpAttacks } from './synthetic-attacks.ts';
import { defaultAssessSettings } from '#src/admin/active/models.ts';

/** What the engine says of a URL by its spelling alone. */
export interface TriedAttack extends MadeUpAttack {
  readonly probability: number;
  readonly decision: Decision;
}

/** What this box would say of attacks on a brand, and of the brand itself. */
export interface BrandTrial {
  readonly name: string;
  readonly attacks: readonly TriedAttack[];
  /** A login on each of its own domains. */
  readonly own: readonly TriedAttack[];
}

/** Judges made-up attacks on a brand that the models were taught, without looking anything up. */
export function tryAttacks(brand: OwnBrand, models: Models): BrandTrial {
  const settings = defaultAssessSettings(models);
  const observations = unobserved('disabled', { state: 'skipped', reason: 'disabled' });
  const tryOut = (attack: MadeUpAttack): TriedAttack[] => {
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
  return { name: brand.name, attacks: madeUpAttacks(brand).flatMap(tryOut), own: logins.flatMap(tryOut) };
}
