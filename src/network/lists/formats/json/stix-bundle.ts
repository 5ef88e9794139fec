import { isObject } from '#src/core/base/guard.ts';
import { quoted } from '../../entry.ts';
import { readExpiry } from '../feed-record.ts';
import { type ListFileItem, type ListFormat, observedEntry, skippedLine } from '../list-format.ts';
import { type JsonPiece, readPieces } from './json-pieces.ts';

/** An object and the operator of a comparison of the pattern language (STIX 2.1, 9) that a list can express. */
const COMPARISON = /\s*(?:url|domain-name|ipv[46]-addr):value\s*(=|IN\b)\s*/y;
const OPENING = /\s*([([])/y;
const CLOSING = /\s*([)\]])\s*/y;
const TEXT = /\s*'([^'\\]*(?:\\['\\][^'\\]*)*)'\s*/y;

/** Reads tokens of a text from its beginning. */
function scanner(text: string) {
  let at = 0;
  return {
    take(token: RegExp): RegExpExecArray | null {
      token.lastIndex = at;
      const found = token.exec(text);
      if (found !== null) at = token.lastIndex;
      return found;
    },
    isAtEnd: () => at === text.length,
  };
}

/**
 * Returns the values that a pattern matches: `[url:value = 'https://…']`, the same of `domain-name`, `ipv4-addr` and
 * `ipv6-addr`, also with `IN ('…', '…')`, and alternatives of these joined by OR, with or without parentheses. Null for
 * any other pattern, even if a part of it has this form.
 */
function readStixPattern(pattern: string): readonly string[] | null {
  const { take, isAtEnd } = scanner(pattern);
  const values: string[] = [];
  /** Open parentheses and brackets. */
  const open: string[] = [];
  do {
    for (let found = take(OPENING); found !== null; found = take(OPENING)) open.push(found[1] ?? '');
    if (open.filter((bracket) => bracket === '[').length !== 1) return null;
    const compared = takeCompared(take);
    if (compared === null) return null;
    values.push(...compared);
    for (let found = take(CLOSING); found !== null; found = take(CLOSING))
      if (open.pop() !== (found[1] === ')' ? '(' : '[')) return null;
  } while (take(/OR\b/y) !== null);
  return isAtEnd() && open.length === 0 ? values : null;
}

/** Returns the texts of a comparison; null if there is none. */
function takeCompared(take: (token: RegExp) => RegExpExecArray | null): readonly string[] | null {
  const operator = take(COMPARISON)?.[1];
  if (operator === undefined || (operator !== '=' && take(/\(/y) === null)) return null;
  const texts: string[] = [];
  do {
    const found = take(TEXT);
    if (found === null) return null;
    texts.push((found[1] ?? '').replace(/\\(.)/g, '$1'));
  } while (operator !== '=' && take(/,/y) !== null);
  return operator === '=' || take(/\)\s*/y) !== null ? texts : null;
}

/** A bundle of STIX 2.1: of its objects, the indicators. */
export const stixFormat: ListFormat = {
  name: 'stix',
  isLenient: false,
  async *read(bytes) {
    yield* readPieces(bytes, ['$.objects.*'], readPiece);
  },
};

function readPiece({ value, line }: JsonPiece): readonly ListFileItem[] {
  if (!isObject(value)) return [{ line, message: `${quoted(JSON.stringify(value))} is not an object` }];
  return value['type'] === 'indicator' ? readIndicator(value, line) : [];
}

function readIndicator(indicator: Readonly<Record<string, unknown>>, line: number): readonly ListFileItem[] {
  const { id, name, pattern, pattern_type: language = 'stix', valid_until: until = '' } = indicator;
  const called = typeof id === 'string' ? quoted(id) : 'an indicator without an id';
  if (indicator['revoked'] === true) return [skippedLine(line, `${called} was revoked`)];
  if (language !== 'stix') return [skippedLine(line, `${called} is in the language ${quoted(String(language))}`)];
  if (typeof pattern !== 'string') return [{ line, message: `${called} has no pattern` }];
  const expiresAtMs = typeof until === 'string' ? readExpiry(until) : Number.NaN;
  if (Number.isNaN(expiresAtMs)) return [{ line, message: `${called} is valid until ${quoted(String(until))}` }];
  const values = readStixPattern(pattern);
  if (values === null)
    return [
      skippedLine(line, `${quoted(pattern)} is more than a comparison of a URL, a domain or an address with a text`),
    ];
  const types = indicator['indicator_types'];
  // Benign indicators (STIX 2.1, 10.7).
  const isException = Array.isArray(types) && types.includes('benign');
  const said = { expiresAtMs, source: textOf(id), comment: textOf(name), isException };
  return values.map((value) => observedEntry(value, line, said));
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
