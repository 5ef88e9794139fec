import { parseHost } from '#src/core/url/host.ts';
import { quoted } from '../quoted.ts';
import { type ListFileItem, type ListFormat, type ListPieceReader, observedEntry } from './list-format.ts';

/** A warninglist of MISP (schema.json of MISP/misp-warninglists). */
export const mispFormat: ListFormat = {
  name: 'misp',
  recognises: (beginning) =>
    beginning[0]?.startsWith('{') === true && /"(?:list|matching_attributes)"\s*:/.test(beginning.join('\n')),
  read: { byPiece: mispReader },
};

/** By its type, what a value of a list stands for as an entry. A substring or a regular expression stands for none. */
const READINGS: Readonly<Record<string, (value: string) => string>> = {
  // A host by itself is not what is under it.
  string: (value) => (parseHost(value)?.kind === 'name' ? `http://${value}/` : value),
  // A leading dot includes all names below, which an entry without a dot does as well.
  hostname: (value) => value.replace(/^\.(?=[^.])/, ''),
  cidr: (value) => value,
};

/** The most that is held of a list whose type stands behind it, in characters. */
const MAX_HELD = 64 * 1024 * 1024;

function mispReader(): ListPieceReader {
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
    read({ member, isElement, value, line }) {
      if (isRefused) return [];
      if (member === 'type' && !isElement) {
        const known = READINGS[String(value)];
        if (known === undefined)
          return refuse(
            line,
            `is a list of the type ${quoted(String(value))}; expected ${Object.keys(READINGS).join(', ')}`,
          );
        reading = known;
        return held.splice(0).map((one) => observedEntry(known(one.value), one.line));
      }
      if (member !== 'list') return [];
      if (!isElement || typeof value !== 'string')
        return [{ line, message: `${quoted(JSON.stringify(value))} is not a value` }];
      if (reading !== null) return [observedEntry(reading(value.trim()), line)];
      heldCharacters += value.length;
      if (heldCharacters > MAX_HELD) return refuse(line, 'exceeds 64 million characters before the type of the list');
      held.push({ value: value.trim(), line });
      return [];
    },
    end: () => (reading === null && !isRefused ? [{ line: 1, message: 'begins a warninglist without a type' }] : []),
  };
}
