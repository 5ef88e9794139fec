import { COUNTED, COUNTERFACTUAL, REASONS, WAYS } from './catalogue.ts';
import { type GivenReason, MESSAGE_REASONS, type ReasonArgs, type ReasonWay } from './reason.ts';

/** A parsed row of the catalogue. */
export interface Entry {
  readonly number: number;
  readonly code: string;
  readonly kind: string | null;
  /** Names of its placeholders, in order. */
  readonly gaps: readonly string[];
  /** Text before, between and after the placeholders. */
  readonly words: readonly string[];
  /** Placeholders within quotation marks, with the number of characters before each within the marks. */
  readonly quoted: ReadonlyMap<string, number>;
}

const GAP = /\{(\w+)\}/;
const QUOTED = /“([^“”{}]*)\{(\w+)\}”/g;

const ROWS: readonly (readonly [number, string, string, string?])[] = [...REASONS, ...MESSAGE_REASONS];

/** Rows that were asked for, by their place: few of the sentences are in the first answers of a service. */
const parsed: (Entry | null)[] = ROWS.map(() => null);

const FIRST_NUMBERS = new Map(ROWS.map(([number, code]) => [code, number] as const).reverse());
const PLACES = new Map(ROWS.map(([number], place) => [number, place]));
const PLACES_BY_CODE = new Map<string, Map<unknown, number>>();
for (const [place, [, code, , kind = null]] of ROWS.entries()) {
  const ofCode = PLACES_BY_CODE.get(code) ?? new Map<unknown, number>();
  PLACES_BY_CODE.set(code, ofCode.set(kind, place));
}
const BEGINNINGS = new Map<string, string>(WAYS.map(([, how, beginning]) => [how, beginning]));
const COUNTED_GAPS: ReadonlySet<string> = new Set(COUNTED);

/** Marks that end a sentence without a full stop. */
const END_MARKS = '.!?…';

function entryAt(place: number): Entry {
  const known = parsed[place] ?? parseRow(place);
  parsed[place] = known;
  return known;
}

/** Returns the row with a number; undefined if no version up to this one has it. */
export function entryByNumber(number: number): Entry | undefined {
  const place = PLACES.get(number);
  return place === undefined ? undefined : entryAt(place);
}

/** Returns the rows of a code, of which each has a kind if there are several. */
export function entriesByCode(code: string): readonly Entry[] {
  return Array.from(PLACES_BY_CODE.get(code)?.values() ?? [], entryAt);
}

/** Returns the first number of a code; undefined for a code of another version. */
export function firstNumberOf(code: string): number | undefined {
  return FIRST_NUMBERS.get(code);
}

/** Returns the row that fits a code and its `args`; undefined for a reason of another version. */
export function entryFor(code: string, args: ReasonArgs): Entry | undefined {
  const { kind = null } = args;
  const place = PLACES_BY_CODE.get(code)?.get(kind);
  if (place === undefined) return undefined;
  const entry = entryAt(place);
  return hasGaps(entry, args) ? entry : undefined;
}

function hasGaps({ gaps }: Entry, args: ReasonArgs): boolean {
  for (const gap of gaps) if (!(gap in args)) return false;
  return true;
}

/** Returns the value of a gap from its text. */
export function argOf(gap: string, text: string): string | number {
  return COUNTED_GAPS.has(gap) && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Returns the sentence of a row with its gaps filled. */
export function fillEntry({ gaps, words }: Entry, args: ReasonArgs): string {
  let text = words[0] ?? '';
  for (let i = 0; i < gaps.length; i++) {
    const next = words[i + 1] ?? '';
    text += args[gaps[i] ?? ''] ?? '';
    text += next === '.' && END_MARKS.includes(text.at(-1) ?? ' ') ? '' : next;
  }
  return text;
}

/** Returns true if a text is the sentence of a row with its gaps filled, without filling them. */
export function isSentence(
  text: string,
  ways: readonly ReasonWay[],
  { gaps, words }: Entry,
  args: ReasonArgs,
): boolean {
  let at = 0;
  const follows = (piece: string) => {
    if (!text.startsWith(piece, at)) return false;
    at += piece.length;
    return true;
  };
  for (const way of ways) if (!follows(beginningOf(way))) return false;
  if (!follows(words[0] ?? '')) return false;
  for (let i = 0; i < gaps.length; i++) {
    const next = words[i + 1] ?? '';
    if (!follows(String(args[gaps[i] ?? ''] ?? ''))) return false;
    if (!(next === '.' && END_MARKS.includes(text[at - 1] ?? ' ')) && !follows(next)) return false;
  }
  return at === text.length;
}

/** Returns how the sentence of a reason begins that is about another URL. */
export function beginningOf({ how, host }: ReasonWay): string {
  return (BEGINNINGS.get(how) ?? '').replace('{inside}', () => host);
}

/** Returns the sentence of a reason in English. */
export function sentenceOf(given: GivenReason): string {
  return sentenceBy(entryFor(given.code, given.args), given);
}

function sentenceBy(entry: Entry | undefined, { args, ways }: GivenReason): string {
  const sentence = entry ? fillEntry(entry, args) : '';
  return ways ? ways.map(beginningOf).join('') + sentence : sentence;
}

const [BEFORE_DECISION, BEFORE_SENTENCE] = COUNTERFACTUAL[1].split(GAP).filter((_, i) => i % 2 === 0);

/** Returns what would change the decision as an English sentence. */
export function counterfactualOf(decision: string, sentence: string): string {
  return `${BEFORE_DECISION}${decision}${BEFORE_SENTENCE}${sentence}`;
}

/**
 * Returns the text of a reason. Its `args` are `kind`, then the gaps in the order of the sentence, then the nearest other
 * URL that the reason is about. A full stop that ends the last value and the sentence at once belongs to the sentence.
 */
export function spokenReason(given: GivenReason) {
  const { code, args, ways = NO_WAYS } = given;
  const entry = entryFor(code, args);
  return { message: sentenceBy(entry, given), args: withWay(entry ? inOrder(entry, args) : args, ways[0]) };
}

/** Returns `args` with the other URL that the reason is about. */
export function withWay(args: ReasonArgs, way: ReasonWay | undefined): ReasonArgs {
  return way ? { ...args, inside: way.host, ...(way.how !== 'inside' && { how: way.how }) } : args;
}

const NO_WAYS: readonly ReasonWay[] = [];

/** Returns true if `args` has the names of {@link spokenReason}, in the same order. */
export function areInOrder({ kind, gaps }: Entry, args: ReasonArgs): boolean {
  let place = kind === null ? 0 : -1;
  for (const name of Object.keys(args)) {
    const expected = place === -1 ? 'kind' : (gaps[place] ?? WAY_ARGS[place - gaps.length]);
    if (name !== expected) return false;
    place++;
  }
  return place >= gaps.length;
}

const WAY_ARGS = ['inside', 'how'];

function inOrder(entry: Entry, args: ReasonArgs): ReasonArgs {
  const { kind, gaps, words } = entry;
  const last = gaps.at(-1) ?? '';
  const value = args[last];
  const endsTwice = typeof value === 'string' && value.endsWith('.') && words.at(-1) === '.';
  if (!endsTwice && areInOrder(entry, args)) return args;
  const ordered: Record<string, string | number> = kind === null ? {} : { kind };
  for (const gap of gaps) ordered[gap] = args[gap] ?? '';
  if (endsTwice) ordered[last] = value.slice(0, -1);
  return ordered;
}

function parseRow(place: number): Entry {
  const [number, code, sentence, kind = null] = ROWS[place] ?? [0, '', ''];
  const pieces = sentence.split(GAP);
  return {
    number,
    code,
    kind,
    gaps: pieces.filter((_, i) => i % 2 === 1),
    words: pieces.filter((_, i) => i % 2 === 0),
    quoted: new Map([...sentence.matchAll(QUOTED)].map(([, before = '', gap = '']) => [gap, before.length])),
  };
}
