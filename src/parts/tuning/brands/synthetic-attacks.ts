import { displayName } from '#src/core/url/confusable.ts';
import { chosenName, hostOf } from '#src/core/url/host.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';

/** A URL that an attacker of a brand might use. */
export interface SyntheticAttack {
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
export function syntheticAttacks({ domains }: Pick<ConfiguredBrand, 'domains'>): readonly SyntheticAttack[] {
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
