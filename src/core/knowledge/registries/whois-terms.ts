import { objectWith } from '#src/core/base/guard.ts';
import { isPhrases, readFacts, searchFor } from '../fact-file.ts';
import file from './whois-terms.json' with { type: 'json' };

const { notFound, refused, ...keys } = readFacts(
  'whois-terms.json',
  file,
  objectWith({
    created: isPhrases,
    updated: isPhrases,
    expires: isPhrases,
    registrar: isPhrases,
    status: isPhrases,
    nameServers: isPhrases,
    country: isPhrases,
    domain: isPhrases,
    notFound: isPhrases,
    refused: isPhrases,
  }),
);

/** The spellings of each key at the large registries, in lower case with single spaces. */
export const WHOIS_KEYS: Readonly<Record<keyof typeof keys, ReadonlySet<string>>> = {
  created: new Set(keys.created),
  updated: new Set(keys.updated),
  expires: new Set(keys.expires),
  registrar: new Set(keys.registrar),
  status: new Set(keys.status),
  nameServers: new Set(keys.nameServers),
  country: new Set(keys.country),
  domain: new Set(keys.domain),
};

/** Answers of WHOIS servers for a domain that does not exist. */
export const WHOIS_NOT_FOUND: RegExp = searchFor({ whole: notFound }, 'i');

/** Answers of WHOIS servers that refuse because of too many queries. */
export const WHOIS_REFUSED: RegExp = searchFor({ whole: refused }, 'i');
