import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './special-names.json' with { type: 'json' };

/** Top labels of names that never lead to the public internet. */
export const SPECIAL_TOP_LABELS: ReadonlySet<string> = new Set(
  wordsIn(readFacts('special-names.json', file, isNameLines)),
);
