import { mapWith } from '#src/core/base/guard.ts';
import { isPhrases, readFacts } from '../fact-file.ts';
import file from './mail-schemes.json' with { type: 'json' };

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

/** Part of a scheme, with its phrases in all languages. */
export interface SchemePart {
  readonly scheme: Scheme;
  readonly part: string;
  /** True for the part without which the others say nothing. */
  readonly isSubject: boolean;
  readonly phrases: readonly string[];
}

/** All parts of all schemes. */
export const SCHEME_PARTS: readonly SchemePart[] = entries.flatMap(([name, parts]) => {
  const scheme = SCHEMES.find((one) => one === name);
  if (scheme === undefined) throw new Error(`mail-schemes.json: ${name} is not a scheme`);
  const [subject] = Object.keys(parts);
  return Object.entries(parts).map(([part, phrases]) => ({
    ...{ scheme, part, isSubject: part === subject },
    phrases: Object.values(phrases).flat(),
  }));
});
