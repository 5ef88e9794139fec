import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './open-roots.json' with { type: 'json' };

/** Ids and tags of the elements into which applications draw themselves, lower case. */
export const OPEN_ROOTS: ReadonlySet<string> = new Set(wordsIn(readFacts('open-roots.json', file, isNameLines)));
