import { mapWith } from '#src/core/base/guard.ts';
import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './restricted-suffixes.json' with { type: 'json' };

const { labels = [], suffixes = [], open = [] } = readFacts('restricted-suffixes.json', file, mapWith(isNameLines));
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
