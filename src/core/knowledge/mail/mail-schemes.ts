import { mapWith } from '#src/core/base/guard.ts';
import { isPhrases, readFacts } from '../fact-file.ts';
import file from './mail-schemes.json' with { type: 'json' };
import { phraseSearch } from './phrase-search.ts';

/** Frauds that consist of a text alone, with no link to follow. */
export const SCHEMES = [
  ...(['extortion', 'callback', 'gift_cards', 'errand', 'bank_details'] as const),
  ...(['funds', 'loan', 'job', 'romance', 'approach'] as const),
] as const;

/** One of {@link SCHEMES}. */
export type Scheme = (typeof SCHEMES)[number];

/** Parts of a scheme that a text has, by name, with the words that say so. */
export type SchemeParts = ReadonlyMap<string, string>;

const entries = Object.entries(readFacts('mail-schemes.json', file, mapWith(mapWith(mapWith(isPhrases)))));

const PARTS = entries.flatMap(([name, parts]) => {
  const scheme = SCHEMES.find((one) => one === name);
  if (scheme === undefined) throw new Error(`mail-schemes.json: ${name} is not a scheme`);
  const [subject] = Object.keys(parts);
  return Object.entries(parts).map(([part, phrases]) => ({
    ...{ scheme, part, isSubject: part === subject },
    phrases: Object.values(phrases).flat(),
  }));
});

const search = phraseSearch(PARTS.map((part) => [part, part.phrases] as const));

/**
 * Finds the schemes that a text may belong to, each with its parts. A part alone is in many honest texts, and without the
 * subject of a scheme, its first part in the table, the others count for nothing.
 */
export function schemesIn(text: string): ReadonlyMap<Scheme, SchemeParts> {
  const schemes = new Map<Scheme, Map<string, string>>();
  const found = search(text);
  for (const [{ scheme, isSubject }] of found) if (isSubject) schemes.set(scheme, new Map());
  for (const [{ scheme, part }, words] of found) schemes.get(scheme)?.set(part, words);
  return schemes;
}
