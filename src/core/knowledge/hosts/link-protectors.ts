import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './link-protectors.json' with { type: 'json' };

/** Hosts of the receiver's own side that stand before every link of a mail and name it; so does whatever is under them. */
export const LINK_PROTECTORS: readonly string[] = wordsIn(readFacts('link-protectors.json', file, isNameLines));
