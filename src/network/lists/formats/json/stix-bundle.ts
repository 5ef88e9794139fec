import { isObject } from '#src/core/base/guard.ts';
import { quoted } from '../../quoted.ts';
import { readExpiry } from '../expiry.ts';
import { type ListFileItem, type ListFormat, observedEntry, skippedLine } from '../list-format.ts';
import { type JsonPiece, readPieces } from './json-pieces.ts';
import { readStixPattern } from './read-stix-pattern.ts';

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
