import { isNameLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './freemail.json' with { type: 'json' };

/** Domains of mail services at which anybody gets an address, throw-away ones included. */
export const FREEMAIL: ReadonlySet<string> = new Set(wordsIn(readFacts('freemail.json', file, isNameLines)));
