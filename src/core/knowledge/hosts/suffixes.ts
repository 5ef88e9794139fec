import { mapWith } from '#src/core/base/guard.ts';
import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import restrictedSuffixesFile from './restricted-suffixes.json' with { type: 'json' };
import specialNamesFile from './special-names.json' with { type: 'json' };

/** Top labels of names that never lead to the public internet. */
export const SPECIAL_TOP_LABELS: ReadonlySet<string> = new Set(
  wordsIn(readFacts('special-names.json', specialNamesFile, isNameLines)),
);

const {
  labels = [],
  suffixes = [],
  open = [],
} = readFacts('restricted-suffixes.json', restrictedSuffixesFile, mapWith(isNameLines));
const LABELS = new Set(wordsIn(labels));
const SUFFIXES = new Set(wordsIn(suffixes));
const OPEN = new Set(wordsIn(open));

/** `go.id`, and `sp.gov.br` with a region in front. */
const UNDER_COUNTRY = /^(?:[a-z0-9-]+\.)?([a-z0-9]+)\.[a-z]{2}$/;

/** Returns true if only authorities, schools and the like can register a name under a public suffix: no phisher registers there. */
export function isRestrictedSuffix(suffix: string): boolean {
  if (SUFFIXES.has(suffix)) return true;
  const label = UNDER_COUNTRY.exec(suffix)?.[1];
  return label !== undefined && LABELS.has(label) && !OPEN.has(suffix);
}
