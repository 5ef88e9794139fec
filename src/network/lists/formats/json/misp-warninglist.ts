import { parseHost } from '#src/core/url/host.ts';
import { quoted } from '../../entry.ts';
import { type ListFileItem, type ListFormat, observedEntry } from '../list-format.ts';
import { type JsonPiece, readPieces } from './json-pieces.ts';

/** A warninglist of MISP (schema.json of MISP/misp-warninglists). */
export const mispFormat: ListFormat = {
  name: 'misp',
  isLenient: false,
  async *read(bytes) {
    const { read, end } = warninglistReader();
    const { isWhole } = yield* readPieces(bytes, ['$.list.*', '$.type'], read);
    if (isWhole) yield end();
  },
};

/** Converts values to entries by the type of their list. Substrings and regular expressions have no entry. */
const READINGS: Readonly<Record<string, (value: string) => string>> = {
  // A host by itself is not what is under it.
  string: (value) => (parseHost(value)?.kind === 'name' ? `http://${value}/` : value),
  // A leading dot includes all names below, which an entry without a dot does as well.
  hostname: (value) => value.replace(/^\.(?=[^.])/, ''),
  cidr: (value) => value,
};

/** Maximum characters buffered of a list whose type comes after its values. */
const MAX_HELD = 64 * 1024 * 1024;

function warninglistReader() {
  let reading: ((value: string) => string) | null = null;
  let held: { readonly value: string; readonly line: number }[] = [];
  let heldCharacters = 0;
  let isRefused = false;
  const refuse = (line: number, message: string): ListFileItem[] => {
    isRefused = true;
    held = [];
    return [{ line, message }];
  };
  return {
    read({ key, value, line }: JsonPiece): readonly ListFileItem[] {
      if (isRefused) return [];
      if (key === 'type') {
        const known = READINGS[String(value)];
        if (known === undefined)
          return refuse(
            line,
            `is a list of the type ${quoted(String(value))}; expected ${Object.keys(READINGS).join(', ')}`,
          );
        reading = known;
        return held.splice(0).map((one) => observedEntry(known(one.value), one.line));
      }
      if (typeof value !== 'string') return [{ line, message: `${quoted(JSON.stringify(value))} is not a value` }];
      if (reading !== null) return [observedEntry(reading(value.trim()), line)];
      heldCharacters += value.length;
      if (heldCharacters > MAX_HELD) return refuse(line, 'exceeds 64 million characters before the type of the list');
      held.push({ value: value.trim(), line });
      return [];
    },
    end: (): readonly ListFileItem[] =>
      reading === null && !isRefused ? [{ line: 1, message: 'begins a warninglist without a type' }] : [],
  };
}
