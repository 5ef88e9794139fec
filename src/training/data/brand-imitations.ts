import { domainToASCII } from 'node:url';
import type { Brand } from '#src/core/knowledge/brands/brands.ts';
import { NEIGHBOURS } from '#src/core/knowledge/brands/misspelling.ts';
import type { Knowledge } from '#src/core/knowledge/index.ts';
import { ordinaryNames } from './ordinary-names.ts';
import words from './ordinary-words.json' with { type: 'json' };
import { createRandom } from './random.ts';

/** A synthetic imitation of a brand. */
export interface BrandImitation {
  /** Change of the name. */
  readonly kind: ImitationKind;
  /** Position of the name in the URL. */
  readonly form: ImitationForm;
  readonly canon: string;
}

type Change = (name: string, at: number, random: () => number) => string | null;

const DIGITS: Readonly<Record<string, string>> = {
  o: '0',
  l: '1',
  i: '1',
  e: '3',
  a: '4',
  s: '5',
  t: '7',
  b: '8',
  g: '9',
};
const LETTERS: Readonly<Record<string, string>> = { m: 'rn', i: 'l', l: 'i', d: 'cl', w: 'vv' };
const OTHER_SCRIPTS: Readonly<Record<string, string>> = {
  a: 'а',
  e: 'е',
  o: 'о',
  p: 'р',
  c: 'с',
  i: 'і',
  k: 'ᴋ',
  g: 'ɢ',
  n: 'ɴ',
  r: 'ʀ',
};

const instead =
  (table: Readonly<Record<string, string>>): Change =>
  (name, at) => {
    const other = table[name[at] ?? ''];
    return other === undefined ? null : name.slice(0, at) + other + name.slice(at + 1);
  };

/** Change of a name at one of its letters; null if it does not apply to that letter. */
const CHANGES = {
  'a digit for a letter': instead(DIGITS),
  'letters that look alike': instead(LETTERS),
  'a letter of another script': instead(OTHER_SCRIPTS),
  'a letter doubled': (name, at) => name.slice(0, at + 1) + name.slice(at),
  'a letter dropped': (name, at) => (at === 0 ? null : name.slice(0, at) + name.slice(at + 1)),
  'letters swapped': (name, at) =>
    at + 1 >= name.length || at === 0 || name[at] === name[at + 1]
      ? null
      : `${name.slice(0, at)}${name[at + 1]}${name[at]}${name.slice(at + 2)}`,
  'a neighbouring key': (name, at, random) => {
    const keys = NEIGHBOURS.get(name[at] ?? '') ?? '';
    return at === 0 || keys === ''
      ? null
      : name.slice(0, at) + keys[Math.floor(random() * keys.length)] + name.slice(at + 1);
  },
} as const satisfies Readonly<Record<string, Change>>;

const EXACT = 'the exact name under another suffix';
const FOREIGN_SUFFIXES = words.entries.tested.foreignSuffixes;

type ImitationKind = keyof typeof CHANGES | typeof EXACT;

const FORMS = {
  bare: (host) => host,
  'with /login': (host) => `${host}/login`,
  'behind a subdomain': (host) => `secure.${host}`,
} as const satisfies Readonly<Record<string, (host: string) => string>>;

type ImitationForm = keyof typeof FORMS | 'as a subdomain';

/** Number of brands that are held out of the fit tested with their imitations. */
const HELD_OUT = 24;
const MIN_LENGTH = 5;
const PER_KIND = 3;

/** Returns the held-out brands: prominent ones with a name of five letters or more. */
export function heldOutBrands({ brands, isProminent }: Knowledge, seed: number): Brand[] {
  const random = createRandom(seed);
  const known = brands.all.filter(
    (brand) =>
      isProminent(brand) &&
      brand.aliases.some(({ name, weight }) => weight !== 'second_cause' && name.length >= MIN_LENGTH),
  );
  return known
    .map((brand) => ({ brand, lot: random() }))
    .sort((a, b) => a.lot - b.lot)
    .slice(0, HELD_OUT)
    .map(({ brand }) => brand);
}

/** Returns imitations of brands: each kind at some letters of the name, in every form. Equal for equal seeds. */
export function brandImitations(brands: readonly Brand[], seed: number): BrandImitation[] {
  const random = createRandom(seed + 1);
  const hosts = ordinaryNames(brands.length * PER_KIND * Object.keys(CHANGES).length, seed + 2);
  let host = 0;
  const inForms = (kind: ImitationKind, label: string, suffix: string): BrandImitation[] => {
    const shown = domainToASCII(label);
    const forms = Object.entries(FORMS).map(([form, write]) => ({
      kind,
      form: form as ImitationForm,
      canon: write(`${shown}.${suffix}`),
    }));
    if (kind === EXACT) return forms;
    return [...forms, { kind, form: 'as a subdomain', canon: `${shown}.${hosts[host++ % hosts.length]}.com` }];
  };
  return brands.flatMap(({ aliases }) => {
    const name =
      aliases.find((alias) => alias.weight !== 'second_cause' && alias.name.length >= MIN_LENGTH)?.name ?? '';
    const changed = Object.entries(CHANGES).flatMap(([kind, change]) => {
      const made = [...name].map((_, at) => change(name, at, random)).filter((one) => one !== null && one !== name);
      return some([...new Set(made)], PER_KIND, random).flatMap((label) =>
        inForms(kind as ImitationKind, label ?? '', 'com'),
      );
    });
    const exact = some(FOREIGN_SUFFIXES, PER_KIND, random).flatMap((suffix) => inForms(EXACT, name, suffix));
    return [...changed, ...exact];
  });
}

function some<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  return items
    .map((item) => ({ item, lot: random() }))
    .sort((a, b) => a.lot - b.lot)
    .slice(0, count)
    .map(({ item }) => item);
}
