import { COUNTED, COUNTERFACTUAL, REASONS, WAYS } from './catalogue.ts';
import { MESSAGE_REASONS } from './message-catalogue.ts';
import type { GivenReason, ReasonArgs, ReasonWay } from './reason.ts';

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

const ENTRIES: readonly Entry[] = ROWS.map(([number, code, sentence, kind = null]) => {
  // Parsed when it is first needed: few of the sentences are in the first answers of a service.
  let template: ReturnType<typeof parseTemplate> | null = null;
  const parsed = () => (template ??= parseTemplate(sentence));
  return {
    number,
    code,
    kind,
    get gaps() {
      return parsed().gaps;
    },
    get words() {
      return parsed().words;
    },
    get quoted() {
      return parsed().quoted;
    },
  };
});

const BY_NUMBER = new Map(ENTRIES.map((entry) => [entry.number, entry]));
const BY_CODE = Map.groupBy(ENTRIES, ({ code }) => code);
const BY_KIND = new Map(
  Array.from(BY_CODE, ([code, entries]) => [
    code,
    new Map<unknown, Entry>(entries.map((entry) => [entry.kind, entry])),
  ]),
);
const BEGINNINGS = new Map<string, string>(WAYS.map(([, how, beginning]) => [how, beginning]));
const COUNTED_GAPS: ReadonlySet<string> = new Set(COUNTED);

/** Marks that end a sentence without a full stop. */
const END_MARKS = '.!?…';

/** Returns the row with a number; undefined if no version up to this one has it. */
export function entryByNumber(number: number): Entry | undefined {
  return BY_NUMBER.get(number);
}

/** Returns the rows of a code, of which each has a kind if there are several. */
export function entriesByCode(code: string): readonly Entry[] {
  return BY_CODE.get(code) ?? [];
}

/** Returns the row that fits a code and its `args`; undefined for a reason of another version. */
export function entryFor(code: string, args: ReasonArgs): Entry | undefined {
  const { kind = null } = args;
  const entry = BY_KIND.get(code)?.get(kind);
  return entry && hasGaps(entry, args) ? entry : undefined;
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

/** Returns what would change the decision as an English sentence. */
export function counterfactualOf(decision: string, sentence: string): string {
  const values: ReasonArgs = { decision, reason: sentence };
  return COUNTERFACTUAL[1].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** The sentence of a reason in English, and its `args`, as the API has them. */
export interface ReasonText {
  readonly message: string;
  readonly args: ReasonArgs;
}

/**
 * Returns the text of a reason. Its `args` are `kind`, then the gaps in the order of the sentence, then the nearest other
 * URL that the reason is about. A full stop that ends the last value and the sentence at once belongs to the sentence.
 */
export function spokenReason(given: GivenReason): ReasonText {
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

function parseTemplate(sentence: string): Pick<Entry, 'gaps' | 'words' | 'quoted'> {
  const pieces = sentence.split(GAP);
  return {
    gaps: pieces.filter((_, i) => i % 2 === 1),
    words: pieces.filter((_, i) => i % 2 === 0),
    quoted: new Map([...sentence.matchAll(QUOTED)].map(([, before = '', gap = '']) => [gap, before.length])),
  };
}
