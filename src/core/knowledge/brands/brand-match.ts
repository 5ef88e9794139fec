import { mapWith } from '#src/core/base/guard.ts';
import { memoizeLatestTwo } from '#src/core/base/memoize-latest.ts';
import { displayName, skeleton, toPlainLookAlike } from '#src/core/url/confusable.ts';
import { type Host, MAX_NAME_LENGTH } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';
import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import type { HostFact } from '../hosts/host-kinds.ts';
import { isRestrictedSuffix } from '../hosts/suffixes.ts';
import { type BrandIndex, type IndexedAlias, indexBrands } from './brand-index.ts';
import brandWordsFile from './brand-words.json' with { type: 'json' };
import type { Brand, BrandAlias, BrandTable } from './brands.ts';
import { typoBetween, typoConfidence } from './misspelling.ts';

/** A label as it looks, with the positions of its characters in the original. */
interface FoldedLabel {
  /** The skeleton without hyphens. */
  readonly folded: string;
  /** For each character of `folded` the index in the label of the one that it comes from. */
  readonly starts: readonly number[];
}

const HYPHEN = 0x2d;
const ASCII_SKELETONS = Array.from({ length: 128 }, (_, code) => skeleton(String.fromCharCode(code)));

/** Folds a label that {@link import('#src/core/url/confusable.ts').toPlainLookAlike} has made plain. */
function foldLabel(plain: string): FoldedLabel {
  let folded = '';
  const starts: number[] = [];
  for (let i = 0; i < plain.length; i++) {
    const code = plain.charCodeAt(i);
    if (code === HYPHEN) continue;
    const part = ASCII_SKELETONS[code] ?? plain[i] ?? '';
    folded += part;
    for (let k = 0; k < part.length; k++) starts.push(i);
  }
  return { folded, starts };
}

/**
 * Position of a name in a label. `label`: the whole label; `token`: delimited by hyphens, digits or ends; `lure`:
 * surrounded only by words such as login or secure; `edge`: at the beginning or end of a longer word; `inside`: within
 * a longer word.
 */
type Extent = 'label' | 'token' | 'lure' | 'edge' | 'inside';

/** The extent of what stands from `start` to `end` in a lower-case label. */
function extentOf(label: string, start: number, end: number, lureWords: ReadonlySet<string>): Extent {
  if (start === 0 && end === label.length) return 'label';
  const beginsWord = isBoundary(label, start);
  const endsWord = isBoundary(label, end);
  if (beginsWord && endsWord) return 'token';
  let left = start;
  while (!isBoundary(label, left)) left--;
  let right = end;
  while (!isBoundary(label, right)) right++;
  const isLured =
    (beginsWord || lureWords.has(label.slice(left, start))) && (endsWord || lureWords.has(label.slice(end, right)));
  if (isLured) return 'lure';
  return beginsWord || endsWord ? 'edge' : 'inside';
}

/** Returns true if a name may begin or end between the characters at `at - 1` and `at`: an end, a hyphen, a digit beside a letter. */
function isBoundary(label: string, at: number): boolean {
  if (at === 0 || at === label.length) return true;
  return !isLetter(label.charCodeAt(at - 1)) || !isLetter(label.charCodeAt(at));
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || code >= 0x80;
}

const {
  near = [],
  longer = [],
  words = [],
  installed = [],
} = readFacts('brand-words.json', brandWordsFile, mapWith(isNameLines));
const LONGER: ReadonlyMap<string, readonly string[]> = new Map(
  longer.map((line) => {
    const [name = '', ...containing] = line.split(' ');
    return [name, containing];
  }),
);
const WORDS = new Set(wordsIn(words));
/** Programs that organisations run themselves, on a subdomain of the program's name (`zimbra.example.org`). */
const INSTALLED = new Set(wordsIn(installed));
const NEAR = new Set([...wordsIn(near), ...WORDS, ...[...LONGER.values()].flat()]);

/** Returns true if honest sites bear a word that is nearly a brand's name. */
export function isLegitimateNeighbour(word: string): boolean {
  return NEAR.has(word);
}

/** Returns true if a name is also a place or a word, which occurs in longer words without the brand (`amazonriver`). */
function isAlsoWord(name: string): boolean {
  return WORDS.has(name);
}

/** Returns true if a name at `start` of a text is part of another word (`openai` in `openair`). */
function isPartOfOtherWord(name: string, text: string, start: number): boolean {
  return (LONGER.get(name) ?? []).some((word) => text.startsWith(word, start - word.indexOf(name)));
}

/** A brand's name, or what passes for it, in a URL that is not the brand's. */
export interface BrandMatch {
  readonly brand: Brand;
  /** The name that was meant, as it is listed. */
  readonly name: string;
  /** The matched part of the URL, decoded and in lower case. */
  readonly matched: string;
  /** `site`: in what the publisher chose as its name; `user`: in front of an @. */
  readonly part: 'site' | 'subdomain' | 'path' | 'user';
  /** `homoglyph`: letters of other scripts; `look_alike`: ASCII that looks the same; `typo`: one or two edits away. */
  readonly likeness: 'exact' | 'homoglyph' | 'look_alike' | 'typo';
  readonly extent: Extent;
  /** Strength of the name as evidence for the brand: `second_cause` proves nothing by itself. */
  readonly weight: BrandAlias['weight'];
  /** Confidence that the name is meant, without other evidence, from 0 to 1: below 1 only for misspellings. */
  readonly confidence: number;
}

/** Looks for brands in URLs. */
export interface BrandMatcher {
  /**
   * Returns at most one match per brand and part, host before path. On the domain of any brand nothing is searched, or
   * the path alone if third parties publish there (`sites.google.com`). Path matches are exact and set off.
   * About 3 µs per URL, more if something is found.
   */
  find(target: Target): readonly BrandMatch[];
}

const NOTHING: readonly BrandMatch[] = [];
const MAX_PATH = 160;
const MAX_MATCHES = 8;
const MIN_LOOK_ALIKE = 5;
const EXTENTS: readonly Extent[] = ['inside', 'edge', 'lure', 'token', 'label'];
const MIN_INSIDE = 8;

/** Facts that a matcher uses. */
export interface BrandMatcherFacts {
  readonly brands: BrandTable;
  readonly lureWords: ReadonlySet<string>;
  readonly hostFact: (host: Host) => HostFact | null;
  /** Returns true if a word that is similar to a brand's name is an ordinary word. */
  readonly isOrdinaryWord: (word: string) => boolean;
  /** Returns true if many people know the brand. */
  readonly isProminent: (brand: Brand) => boolean;
}

/** Makes a matcher; indexing the brands takes a few milliseconds. */
export function createBrandMatcher(facts: BrandMatcherFacts): BrandMatcher {
  const index = indexBrands(facts.brands.all);
  return { find: memoizeLatestTwo((target) => searchTarget(target, index, facts)) };
}

function searchTarget(target: Target, index: BrandIndex, facts: BrandMatcherFacts): readonly BrandMatch[] {
  const { host } = target;
  const platform = facts.hostFact(host);
  const { ownersOf, possibleOwnersOf } = facts.brands;
  const isOwned = ownersOf(host).length > 0 || possibleOwnersOf(host).length > 0;
  if (isOwned && platform === null) return NOTHING;
  const search: Search = { ...facts, index, host, suffix: host.suffix, matches: [] };
  if (host.kind === 'name' && !isOwned) searchHost(search, host, platform);
  if (target.username !== '') searchText(search, target.username.toLowerCase(), 'user');
  if (target.path.length > 1 || target.query !== '') {
    const path = target.query === '' ? target.path : `${target.path}?${target.query}`;
    searchText(search, path.slice(1, MAX_PATH).toLowerCase(), 'path');
  }
  return search.matches;
}

interface Search extends BrandMatcherFacts {
  readonly index: BrandIndex;
  readonly host: Host;
  readonly suffix: string;
  readonly matches: BrandMatch[];
}

/**
 * Searches the labels that are not part of a platform or the suffix; the last of them is the publisher's name. Labels
 * in front of the longest name that DNS can resolve are ignored.
 */
function searchHost(search: Search, host: Host, platform: HostFact | null): void {
  const { suffix } = host;
  const text = host.text.slice(-MAX_NAME_LENGTH);
  const isUnderPlatform = platform !== null && platform.domain.length > suffix.length;
  const fixed = isUnderPlatform ? platform.domain.length : suffix.length;
  const isRestricted = isRestrictedSuffix(suffix);
  let part: BrandMatch['part'] = 'site';
  for (let end = text.length - (fixed === 0 ? 0 : fixed + 1); end > 0; ) {
    const start = text.lastIndexOf('.', end - 1) + 1;
    const label = text.slice(start, end);
    // An imitator cannot register a name there, but can control the labels left of it.
    if (label !== 'www' && !(isRestricted && part === 'site')) searchLabel(search, label, part);
    part = 'subdomain';
    end = start - 1;
  }
}

/** A label of a host as names are looked for in it. */
interface Label {
  readonly part: BrandMatch['part'];
  /** Displayed form, with letters of other scripts replaced by those that they resemble. */
  readonly plain: string;
  /** True if there are letters of other scripts. */
  readonly isForeign: boolean;
}

/** Matches names anywhere in a label by skeleton, then looks for misspelt words. */
function searchLabel(search: Search, text: string, part: BrandMatch['part']): void {
  if (part === 'subdomain' && INSTALLED.has(text)) return;
  const shown = displayName(text);
  const plain = toPlainLookAlike(shown);
  const label: Label = { part, plain, isForeign: plain !== shown };
  const before = search.matches.length;
  searchSkeletons(search, label);
  for (const word of plain.split(/[^a-z0-9]+/)) {
    const short = word.length < 5 ? search.index.exactly(word) : null;
    const extent = word === plain ? 'label' : 'token';
    if (short) add(search, short, { matched: word, part, likeness: label.isForeign ? 'homoglyph' : 'exact', extent });
    else if (search.matches.length === before) considerTypo(search, word, label);
  }
  if (search.matches.length === before && plain.includes('-')) considerHyphenatedTypo(search, label);
}

function searchSkeletons(search: Search, label: Label): void {
  const { folded, starts } = foldLabel(label.plain);
  for (let at = 0; at < folded.length; at++) {
    const start = starts[at] ?? 0;
    if (at > 0 && starts[at - 1] === start) continue;
    for (const alias of search.index.startingAt(folded, at)) {
      if (!folded.startsWith(alias.skeleton, at)) continue;
      const foldedEnd = at + alias.skeleton.length;
      const end = starts[foldedEnd - 1];
      if (end !== undefined && starts[foldedEnd] !== end) consider(search, alias, label, start, end + 1);
    }
  }
}

function consider(search: Search, alias: IndexedAlias, label: Label, start: number, end: number): void {
  const { part, plain, isForeign } = label;
  const matched = plain.slice(start, end);
  const bare = matched.includes('-') ? matched.replaceAll('-', '') : matched;
  const likeness = bare !== alias.name ? 'look_alike' : isForeign ? 'homoglyph' : 'exact';
  const extent = extentOf(plain, start, end, search.lureWords);
  const isPart = extent === 'inside' || extent === 'edge';
  if (likeness === 'look_alike' && alias.name.length < (isPart ? MIN_INSIDE : MIN_LOOK_ALIKE)) return;
  // A name that only comes about by dropping a hyphen inside a longer word is chance.
  if (isPart && (alias.weight !== 'anywhere' || matched.includes('-'))) return;
  if (extent === 'inside' && alias.name.length < MIN_INSIDE) return;
  if (likeness === 'look_alike' && isChanceLikeness(alias, matched, extent)) return;
  if (isPart && isPartOfOtherWord(alias.name, plain, start)) return;
  // One letter more at its end makes a misspelling of it, which is looked for word by word.
  if (extent === 'edge' && isWordOf(plain, start, alias.name.length + 1)) return;
  const isWeak = isPart && isAlsoWord(alias.name);
  add(search, isWeak ? { ...alias, weight: 'second_cause' } : alias, { matched, part, likeness, extent });
}

/** Returns true if a word of so many letters begins at `start`. */
function isWordOf(plain: string, start: number, length: number): boolean {
  return plain.slice(start).search(/[^a-z]|$/) === length && !/[a-z]/.test(plain[start - 1] ?? '');
}

/**
 * Of a short name or a word, a digit in front is a number of the thing, of a word behind it too (`team5`), and letters
 * that look like its own are another word (`govind`, `vinci`), unless there are digits among them or nothing else
 * stands there.
 */
function isChanceLikeness({ name, weight }: IndexedAlias, found: string, extent: Extent): boolean {
  if (weight === 'anywhere') return false;
  if (/^\d/.test(found) || (weight === 'second_cause' && /\d$/.test(found))) return true;
  const isSetOff = extent === 'label' || extent === 'token';
  return weight === 'second_cause' && !/\d/.test(found) && !(isSetOff && name.length > MIN_LOOK_ALIKE);
}

function considerTypo(search: Search, word: string, { part, plain }: Label): void {
  const letters = word.replace(/^\d+|(?<!\d)\d+$/g, '');
  if (letters.length < 5 || search.lureWords.has(letters)) return;
  const alias = search.index.near(letters);
  if (!alias || search.isOrdinaryWord(letters)) return;
  const confidence = typoConfidence({
    slip: typoBetween(letters, alias.name),
    length: alias.name.length,
    isWord: alias.weight === 'second_cause',
    isProminent: search.isProminent(alias.brand),
  });
  add(search, alias, {
    matched: letters,
    part,
    likeness: 'typo',
    extent: letters === plain ? 'label' : 'token',
    confidence,
  });
}

/** The operator's own name may be of several words, one of which is misspelt. */
function considerHyphenatedTypo(search: Search, { part, plain }: Label): void {
  const alias = search.index.nearConfigured(plain.replaceAll('-', ''));
  if (alias) add(search, alias, { matched: plain, part, likeness: 'typo', extent: 'label' });
}

/** Path, query and user name: exact names between separators, or with a lure word. */
function searchText(search: Search, text: string, part: BrandMatch['part']): void {
  for (const word of text.split(/[^a-z0-9]+/)) {
    if (word.length < 4 || word.length > 24) continue;
    const alias = search.index.exactly(word) ?? search.index.exactly(word.replace(/(?<!\d)\d+$/, ''));
    if (alias) add(search, alias, { matched: word, part, likeness: 'exact', extent: 'token' });
  }
  if (part !== 'user') return;
  for (const label of text.split('.')) {
    if (!label.includes('-')) continue;
    const plain = toPlainLookAlike(displayName(label));
    const alias = search.index.exactly(plain.replaceAll('-', ''));
    if (alias) add(search, alias, { matched: plain, part, likeness: 'exact', extent: 'token' });
  }
}

/** Properties of a match; the confidence is 1 by default. */
type Sighting = Pick<BrandMatch, 'matched' | 'part' | 'likeness' | 'extent'> & Partial<Pick<BrandMatch, 'confidence'>>;

/** Adds a match. Of several for one brand and part, the widest extent wins, then the longer name. */
function add(search: Search, alias: IndexedAlias, sighting: Sighting): void {
  const { matches, suffix } = search;
  const { part } = sighting;
  if (isBranchSuffix(alias.brand, suffix) && !(part === 'site' && hasLureApart(search, alias.brand))) return;
  const match: BrandMatch = {
    brand: alias.brand,
    name: alias.name,
    weight: alias.weight,
    confidence: 1,
    ...sighting,
  };
  const known = matches.findIndex((other) => other.brand === alias.brand && other.part === part);
  const other = matches[known];
  if (!other) {
    if (matches.length < MAX_MATCHES) matches.push(match);
  } else if (rank(match) > rank(other)) {
    matches[known] = match;
  }
}

function isBranchSuffix({ branches }: Brand, suffix: string): boolean {
  return branches.some((branch) => suffix === branch || suffix.endsWith(`.${branch}`));
}

/** Words that branches put beside their name: of 540 sites of savings and cooperative banks, 18 have one, and no other lure. */
const BRANCH_WORDS: ReadonlySet<string> = new Set(['bank', 'banking', 'online', 'meine']);

/** Returns true if a bank's name is beside a lure, which its branches do not use. States and towns have many words. */
function hasLureApart({ host, lureWords }: Search, { aliases }: Brand): boolean {
  if (!aliases.some(({ weight }) => weight === 'apart')) return false;
  const words = host.text.slice(0, -host.suffix.length).split(/[^a-z]+/);
  return words.some((word) => word.length >= 3 && lureWords.has(word) && !BRANCH_WORDS.has(word));
}

function rank(match: BrandMatch): number {
  return (match.weight === 'second_cause' ? 0 : 1000) + EXTENTS.indexOf(match.extent) * 100 + match.name.length;
}
