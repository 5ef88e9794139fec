import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import { LURE_WORDS } from './lure-words.ts';
import file from './path-words.json' with { type: 'json' };

const { besideBrand, trained, nobodysName } = LURE_WORDS;

/** Words, in lower case, that are in the paths and login pages of many sites, so that they identify none. */
export const COMMON_PATH_WORDS: ReadonlySet<string> = new Set([
  ...wordsIn(readFacts('path-words.json', file, isNameLines)),
  ...besideBrand,
  ...trained,
  ...nobodysName,
]);
