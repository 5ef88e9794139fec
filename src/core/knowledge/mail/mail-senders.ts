import { mapWith, objectWith } from '#src/core/base/guard.ts';
import { prependBrands, readBrandTable } from '../brands/brands.ts';
import { isNameLines, isPhrases, isWordLines, readFacts, wordsIn } from '../fact-file.ts';
import type { Knowledge } from '../index.ts';
import carrierServicesFile from './carrier-services.json' with { type: 'json' };
import freemailFile from './freemail.json' with { type: 'json' };
import mailBrandNamesFile from './mail-brand-names.json' with { type: 'json' };
import mailBrandsFile from './mail-brands.json' with { type: 'json' };
import mailNameWordsFile from './mail-name-words.json' with { type: 'json' };
import sendingServicesFile from './sending-services.json' with { type: 'json' };

const known = new WeakMap<object, Knowledge>();

/** Returns the knowledge with further brands that mails claim, behind those of the operator and of links. */
export function withMailBrands(knowledge: Knowledge): Knowledge {
  const before = known.get(knowledge.brands);
  if (before) return before;
  const further = readBrandTable(mailBrandsFile, 'mail-brands.json');
  const extended = { ...knowledge, brands: prependBrands(knowledge.brands.all, further) };
  known.set(knowledge.brands, extended);
  return extended;
}

/** Further names of brands, by the name that the table of brands has: in other scripts and languages than their addresses. */
export const BRAND_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(readFacts('mail-brand-names.json', mailBrandNamesFile, mapWith(isPhrases))),
);

/** Domains by which services that send mail for others confirm it, if the sender has not set up its own. */
export const SENDING_SERVICES: ReadonlySet<string> = new Set(
  wordsIn(readFacts('sending-services.json', sendingServicesFile, isNameLines)),
);

const carriers = readFacts(
  'carrier-services.json',
  carrierServicesFile,
  objectWith({ sites: isNameLines, numbers: isNameLines }),
);

/** Sites of services that send texts of third parties under their own name: their confirmation does not say who wrote a text. */
export const CARRIER_SERVICES: ReadonlySet<string> = new Set(wordsIn(carriers.sites));

/** Telephone numbers of these services themselves: digits without country code and leading zero. */
export const CARRIER_NUMBERS: readonly string[] = wordsIn(carriers.numbers);

/** Domains of mail services at which anybody gets an address, throw-away ones included. */
export const FREEMAIL: ReadonlySet<string> = new Set(wordsIn(readFacts('freemail.json', freemailFile, isNameLines)));

const { beside, office, titles, roles, relayed } = readFacts(
  'mail-name-words.json',
  mailNameWordsFile,
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
