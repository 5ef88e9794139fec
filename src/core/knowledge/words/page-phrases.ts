import { isPhrases, readFacts } from '../fact-file.ts';
import mailServices from '../hosts/mail-services.json' with { type: 'json' };
import { isPatterns, searchFor } from '../patterns.ts';
import kitMarks from './kit-marks.json' with { type: 'json' };
import pressurePhrases from './pressure-phrases.json' with { type: 'json' };

/** Phrases of pressure in the languages that most lures are written in. */
export const PRESSURE: RegExp = searchFor(readFacts('pressure-phrases.json', pressurePhrases, isPatterns), 'i');

/** Marks of the makers of kits and of tools that send lures. */
export const KIT_MARKS: RegExp = searchFor(readFacts('kit-marks.json', kitMarks, isPatterns), 'i');

/** Names of mail services, in lower case, of which an ordinary login offers at most two. */
export const MAIL_SERVICES: readonly string[] = readFacts('mail-services.json', mailServices, isPhrases);
