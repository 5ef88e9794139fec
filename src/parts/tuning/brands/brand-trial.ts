import { setImmediate } from 'node:timers/promises';
import { defaultAssessSettings, withConfiguredBrands } from '#src/admin/active/models.ts';
import { displayName } from '#src/core/url/confusable.ts';
import { chosenName, hostOf } from '#src/core/url/host.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import { assess } from '#src/engine/assess/assess.ts';
import type { Models } from '#src/engine/assess/settings.ts';
import type { Decision } from '#src/engine/fusion/fuse.ts';
import { skippedObservations } from '#src/network/probes/observations.ts';

/** A URL that an attacker of a brand might use. */
interface SyntheticAttack {
  readonly url: string;
  /** The imitation in a few words. */
  readonly trick: string;
}

const SUFFIXES = ['com', 'net', 'org', 'info', 'biz', 'online'];

/** Letters of other scripts that look like Latin ones. */
const HOMOGLYPHS: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  o: 'о',
  p: 'р',
  s: 'ѕ',
  x: 'х',
  y: 'у',
};

/** Character sequences that look alike, the most similar first. */
const LOOK_ALIKES: readonly (readonly [string, string])[] = [
  ['m', 'rn'],
  ['w', 'vv'],
  ['o', '0'],
  ['l', '1'],
  ['i', '1'],
  ['e', '3'],
  ['a', '4'],
  ['s', '5'],
  ['d', 'cl'],
];

/** Returns 20 attacks on a brand, mostly on hosts that do not exist; none for a brand that has IP addresses only. */
function syntheticAttacks({ domains }: Pick<ConfiguredBrand, 'domains'>): readonly SyntheticAttack[] {
  const hosts = domains.map(hostOf).filter(({ kind }) => kind === 'name');
  const host = hosts[0];
  if (host === undefined) return [];
  const domain = host.text;
  const name = displayName(chosenName(host));
  // Under its own suffix the name is no attack.
  const foreign = SUFFIXES.filter((suffix) => !hosts.some((own) => own.suffix === suffix));
  const [one = 'com', other = 'net'] = foreign;
  const word = longest(name.split('-'));
  const middle = Math.ceil(word.length / 2);
  const [head, tail] = [word.slice(0, middle), word.slice(middle)];
  const spelt = (text: string) => name.replace(word, text);
  return [
    { url: `http://${domain}.evil.com/login`, trick: 'its domain left of another' },
    { url: `https://${domain}-account.evil.net/`, trick: 'its domain, run on' },
    { url: `https://login.${name}.evil.org/`, trick: 'its name left of another domain' },
    { url: `https://${name}.evil.net/`, trick: 'its name alone left of another domain' },
    { url: `http://login-${name}.${one}/`, trick: 'a word before its name' },
    { url: `https://${name}-secure.${other}/`, trick: 'a word behind its name' },
    { url: `https://${name}login.${one}/`, trick: 'a word without a hyphen' },
    { url: `https://my${name}.${other}/`, trick: 'letters before its name' },
    { url: `https://${name}24.${one}/`, trick: 'a number behind its name' },
    { url: `https://${spelt(`${head}-${tail}`)}.${one}/`, trick: 'one more hyphen' },
    { url: `https://${name}.${one}/`, trick: 'its name under another suffix' },
    { url: `https://${name}-portal.weebly.com/`, trick: 'its name where anyone can publish' },
    { url: `https://${homoglyphs(name)}.${one}/`, trick: 'letters of another script' },
    { url: `https://${homoglyphs(name)}-login.${other}/`, trick: 'letters of another script, and a word' },
    { url: `https://${lookAlike(name)}.${one}/`, trick: 'characters that look alike' },
    { url: `https://${spelt(head.slice(0, -1) + tail)}.${one}/`, trick: 'a letter left out' },
    { url: `https://${spelt(head + head.slice(-1) + tail)}.${other}/`, trick: 'a letter doubled' },
    { url: `https://${spelt(swapped(head, tail))}.${one}/`, trick: 'two letters swapped' },
    { url: `https://${domain}@evil.com/login`, trick: 'its domain before an @' },
    { url: `https://evil.com/${name}/login.php`, trick: 'its name in the path alone' },
  ];
}

function longest(words: readonly string[]): string {
  return words.reduce((left, right) => (right.length > left.length ? right : left));
}

/** Replaces each letter by its homoglyph in another script. */
function homoglyphs(name: string): string {
  return [...name].map((letter) => HOMOGLYPHS[letter] ?? letter).join('');
}

function lookAlike(name: string): string {
  const [from, to] = LOOK_ALIKES.find(([letters]) => name.includes(letters)) ?? ['', '1'];
  return name.replace(from, to);
}

function swapped(head: string, tail: string): string {
  return head.slice(0, -1) + tail.slice(0, 1) + head.slice(-1) + tail.slice(1);
}

/** An attack with its verdict by URL alone. */
interface TriedAttack extends SyntheticAttack {
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
