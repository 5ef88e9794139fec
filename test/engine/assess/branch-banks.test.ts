import { expect, test } from 'bun:test';
import { assess } from '#src/engine/assess/assess.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';
import { MODELS, SETTINGS } from '#test/support/models.ts';
import { targetOf } from '#test/support/target.ts';

const classify = (url: string) => {
  const nothing = skippedObservations('disabled', { state: 'skipped', reason: 'disabled' });
  return assess(targetOf(url), nothing, MODELS, SETTINGS);
};
const decisionOn = (url: string) => classify(url).decision;

/** Banks of many branches that carry one name under a country's suffix, and others whose name stands for nothing else. */
const NAMES = [
  ...['sparkasse', 'sparkassen', 'kreissparkasse', 'volksbank', 'vrbank', 'raiffeisenbank', 'sparda', 'kantonalbank'],
  ...['consorsbank', 'skatteverket'],
];
const LURES = [
  ...['login', 'secure', 'support', 'verify', 'update', 'account', 'kundencenter', 'sicherheit', 'pushtan'],
  ...['freischaltung', 'legitimation'],
];

test('warns about four in five names of a branch bank beside a lure, outside the suffixes of its branches', () => {
  const urls = NAMES.flatMap((name) => LURES.flatMap((lure) => [`${name}-${lure}.com`, `${lure}-${name}.net`]));
  const allowed = urls.filter((url) => decisionOn(url) === 'allow');
  expect(allowed.length / urls.length).toBeLessThanOrEqual(0.2);
});

test.each([
  'sparkasse-verify.de',
  'volksbank-sicherheit.de',
  'sparkassen-kundensicherheit.de',
  'login-kantonalbank.ch',
])('counts a lure under the suffix of the branches: %s', (url) => {
  const { contributions } = classify(url).verdict;
  expect(contributions).toContainEqual(expect.objectContaining({ code: 'brand.name_with_addition' }));
});

test.each([
  ...['sparkasse-ulm.de/login', 'sparkasse-bodensee.de', 'harzsparkasse.de', 'kreissparkasse-augsburg.de'],
  ...['onlinebanking-volksbank-hochrhein.de', 'meinevolksbank.de', 'sparda-bank-hamburg.de', 'sparda-west.de'],
  ...['raiffeisenbank-aktiv.at', 'banking.raiffeisen.at', 'volksbank.it', 'zkb.ch', 'raiffeisen.ch/login'],
  ...['raiffeisen.bg', 'sparkasse.ba', 'ottobock.de', 'otto.de', 'otto-office.com', 'die-raiffeisenbank.de'],
])('allows a branch: %s', (url) => {
  expect(decisionOn(url)).toBe('allow');
});

test.each(['1.1.1.1', '8.8.8.8', '9.9.9.9', '149.112.112.112'])('allows the public resolver %s', (address) => {
  expect(decisionOn(`http://${address}/`)).toBe('allow');
});
