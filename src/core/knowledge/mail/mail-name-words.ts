import { objectWith } from '#src/core/base/guard.ts';
import { isWordLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './mail-name-words.json' with { type: 'json' };

const { beside, office, titles, roles, relayed } = readFacts(
  'mail-name-words.json',
  file,
  objectWith({
    beside: isWordLines,
    office: isWordLines,
    titles: isWordLines,
    roles: isWordLines,
    relayed: isWordLines,
  }),
);

/** Words by which an office or a service calls itself in the name of a sender, in lower case without marks. */
export const OFFICE_WORDS: ReadonlySet<string> = new Set(wordsIn(office));

/** Titles in the name of a sender with which frauds introduce themselves, in lower case. */
export const TITLES: ReadonlySet<string> = new Set(wordsIn(titles));

/** Words beside a firm's name in the name of a sender, those of offices included. */
export const BESIDE_FIRM: ReadonlySet<string> = new Set([...wordsIn(beside), ...OFFICE_WORDS]);

/** Words beside the name of a person in the name of a sender: titles, roles, and those beside a firm's name. */
export const BESIDE_PERSON: ReadonlySet<string> = new Set([...TITLES, ...wordsIn(roles), ...BESIDE_FIRM]);

/** Words between the name of a person and that of the list or service that sends for it. */
export const RELAYED_BY: ReadonlySet<string> = new Set(wordsIn(relayed));
