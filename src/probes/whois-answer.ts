import { hasFacts, type RegistrationFacts, readFacts } from './registration-facts.ts';
import { readWhoisFields, type WhoisField } from './whois-fields.ts';
import { readReferral } from './whois-referral.ts';

/** What a WHOIS server said of a domain. `referral` names the server to ask next, null where it names none. */
export type WhoisAnswer =
  | { readonly outcome: 'found'; readonly facts: RegistrationFacts; readonly referral: string | null }
  | { readonly outcome: 'referred'; readonly referral: string }
  | { readonly outcome: 'not_found' | 'refused' | 'unreadable' };

/** The spellings of each key at the large registries, as {@link WhoisField.key} has them. The first one found counts. */
const KEYS = {
  created: [
    ...['creation date', 'created', 'created on', 'created date', 'create date', 'record created', 'record created on'],
    ...['registered', 'registered on', 'registered date', 'registration date', 'registration time', 'domain created'],
    ...['domain registration date', 'domain name commencement date', 'domain record activated', 'activated'],
  ],
  updated: [
    ...['updated date', 'updated', 'update date', 'last updated', 'last updated on', 'last updated date'],
    ...['last update', 'last modified', 'modified', 'changed', 'domain record last updated', 'record last updated on'],
  ],
  expires: [
    ...['registry expiry date', 'registrar registration expiration date', 'expiration date', 'expiry date', 'expires'],
    ...['expires on', 'expire', 'expire date', 'expiration time', 'paid till', 'renewal date', 'valid until'],
    ...['domain expires', 'record expires on', 'expiration'],
  ],
  registrar: [
    ...['registrar', 'registrar name', 'sponsoring registrar', 'authorized agency', 'registration service provider'],
  ],
  statuses: ['domain status', 'status', 'state', 'registration status', 'eppstatus'],
  nameservers: [
    ...['name server', 'name servers', 'nameserver', 'nameservers', 'nserver', 'domain nameservers'],
    ...['domain servers', 'domain servers in listed order', 'domain name servers', 'ns', 'host name'],
  ],
  country: ['registrant country', 'registrant country code', 'registrant country/economy'],
  domain: ['domain name', 'domain'],
} as const;

/** Under a heading `Registrar`, the name stands in one of these. */
const REGISTRAR_NAMES = ['name', 'organization', 'organization name', 'organisation'];

const FREE = /^(?:free|available|not registered|no object found|unassigned)\b/i;
const NOT_FOUND =
  /\b(?:no match|not found|no (?:matching|entries|data|records?|object|information|such domain)|nothing found|is (?:free|available)|not (?:been )?registered|does not exist|domain unknown|unknown domain)\b/i;
const REFUSED =
  /\b(?:exceeded|too (?:many|fast|short)|rate.?limit|limited to|quota|denied|refused|blocked|black.?listed|try again)\b/i;
/** How much of an answer is searched for the words of a refusal: such answers are short, and terms of use are not. */
const MAX_REMARK_LENGTH = 4096;

/** Reads the answer of a WHOIS server that was asked for `domain`. Never throws. */
export function readWhoisAnswer(text: string, domain: string, nowMs: number): WhoisAnswer {
  const fields = readWhoisFields(text);
  const asked = valuesOf(fields, KEYS.domain)[0]?.toLowerCase().replace(/\.$/, '');
  if (asked !== undefined && isOtherDomain(asked, domain)) return { outcome: 'unreadable' };
  const facts = readFacts(
    {
      registrar: valuesOf(fields, KEYS.registrar)[0] ?? registrarUnderHeading(fields),
      created: valuesOf(fields, KEYS.created)[0],
      updated: valuesOf(fields, KEYS.updated)[0],
      expires: valuesOf(fields, KEYS.expires)[0],
      statuses: valuesOf(fields, KEYS.statuses),
      nameservers: valuesOf(fields, KEYS.nameservers),
      country: valuesOf(fields, KEYS.country)[0],
    },
    nowMs,
  );
  const referral = readReferral(fields);
  if (facts.createdAt === null && facts.statuses.some((status) => FREE.test(status))) return { outcome: 'not_found' };
  if (hasFacts(facts)) return { outcome: 'found', facts, referral };
  if (referral !== null) return { outcome: 'referred', referral };
  const remark = text.slice(0, MAX_REMARK_LENGTH);
  return { outcome: REFUSED.test(remark) ? 'refused' : NOT_FOUND.test(remark) ? 'not_found' : 'unreadable' };
}

/** The values of the first of `keys` that occurs: where a registry has several, the list is in order of preference. */
function valuesOf(fields: readonly WhoisField[], keys: readonly string[]): string[] {
  for (const key of keys) {
    const values = fields.filter((field) => field.key === key).map((field) => field.value);
    if (values.length > 0) return values;
  }
  return [];
}

function registrarUnderHeading(fields: readonly WhoisField[]): string | undefined {
  return fields.find((field) => field.section === 'registrar' && REGISTRAR_NAMES.includes(field.key))?.value;
}

/** Some servers answer for whatever resembles the question. A name in another script is left to pass. */
function isOtherDomain(asked: string, domain: string): boolean {
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(asked) && asked !== domain;
}
