import { objectWith } from '#src/core/base/guard.ts';
import { isWordLines, readFacts, wordsIn } from '../fact-file.ts';
import file from './person-names.json' with { type: 'json' };
import { foldName } from './secret-names.ts';

const { given, family } = readFacts('person-names.json', file, objectWith({ given: isWordLines, family: isWordLines }));

/** Names of persons, as {@link foldName} writes them, in small letters: what makes two words of a path a person. */
export const PERSON_NAMES: ReadonlySet<string> = new Set(wordsIn([...given, ...family].map(foldName)));
