import { expect, test } from 'bun:test';
import { ANALYZERS, FEATURE_NAMES } from '#src/engine/analyzers/index.ts';
import fusion from '#src/engine/models/fusion.json' with { type: 'json' };

const weights = new Map(Object.entries(fusion.weights));
const weightOf = (name: string) => weights.get(name)?.weight ?? Number.NaN;

/** Features that speak for a site. An attacker can obtain each of them, so review additions. */
const REASSURING = [
  'brand.own_domain',
  'brand.taught_domain',
  'certificate.names_an_organisation',
  'dns.mail_policy_enforced',
  'lists.allowed',
  'lists.kept_allowed',
  'lists.overruled_allow',
  'lists.trusted',
  'page.at_home',
  'page.own_brand',
  'registration.created_over_5_years_ago',
];

test('only the listed features have a negative weight', () => {
  expect(FEATURE_NAMES.filter((name) => !(weightOf(name) >= 0)).toSorted()).toEqual(REASSURING);
});

test('a younger registration or certificate has a higher weight', () => {
  const registration = [7, 30, 180].map((days) => weightOf(`registration.created_under_${days}_days_ago`));
  expect(registration).toEqual(registration.toSorted((a, b) => b - a));
  expect(weightOf('certificate.issued_under_1_day_ago')).toBeGreaterThan(
    weightOf('certificate.issued_under_7_days_ago'),
  );
});

test('every weight has a source, and every component has caps', () => {
  for (const { source } of weights.values()) expect(source.length).toBeGreaterThan(5);
  const bounded = new Set(Object.keys(fusion.caps));
  // The operator's word on a list is final, and has no bounds.
  const unbounded = ANALYZERS.filter(({ component, features }) => features.length > 0 && !bounded.has(component));
  expect(unbounded.map(({ component }) => component)).toEqual(['lists']);
});

test('the model card shows the active weights', async () => {
  const card = await Bun.file('src/engine/models/MODEL_CARD.md').text();
  const isEvidence = ([name]: readonly [string, unknown]) => /^(?:certificate|dns|redirects|registration)\./.test(name);
  for (const [name, { weight, source }] of [...weights].filter(isEvidence)) {
    expect(card).toContain(`| \`${name}\` | ${weight} | ${source} |`);
  }
});
