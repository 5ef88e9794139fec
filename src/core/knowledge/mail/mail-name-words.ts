import { objectWith } from '#src/core/base/guard.ts';
import { isWordLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './mail-name-words.json' with { type: 'json' };

const { beside, office, titles } = readFacts(
  'mail-name-words.json',
  file,
  objectWith({ beside: isWordLines, office: isWordLines, titles: isWordLines }),
);

/** Words by which an office or a service calls itself in the name of a sender, in lower case without marks. */
export const OFFICE_WORDS: ReadonlySet<string> = new Set(wordsIn(office));

/** Titles in the name of a sender with which frauds introduce themselves, in lower case. */
export const TITLES: ReadonlySet<string> = new Set(wordsIn(titles));

/** Words beside a firm's name in the name of a sender, those of offices included. */
export const BESIDE_FIRM: ReadonlySet<string> = new Set([...wordsIn(beside), ...OFFICE_WORDS]);
