import { hasFacts, type RegistrationFacts, readFacts } from './registration-facts.ts';
import { readWhoisFields, type WhoisField } from './whois-fields.ts';
import { readReferral } from './whois-referral.ts';

/** What a WHOIS server said of a domain. `referral` names the server to ask next, null where it names none. */
export type WhoisAnswer =
  | { readonly outcome: 'found'; readonly facts: RegistrationFacts; readonly referral: string | null }
  | { readonly outcome: 'referred'; readonly referral: string }
  | { readonly outcome: 'not_found' | 'refused' | 'unreadable' };

/** The spellings of each key at the large registries, as {@link WhoisField.key} has them. */
const CREATED = keys(`
  creation date, created, created on, created date, create date, created at, record created, record created on,
  registered, registered on, registered date, registration date, registration time, domain registration date,
  domain name commencement date, domain created, domain record activated, activated, entry created`);
const UPDATED = keys(`
  updated date, updated, update date, last updated, last updated on, last updated date, last update, last modified,
  modified, changed, domain record last updated, record last updated on, entry updated`);
const EXPIRES = keys(`
  registry expiry date, registrar registration expiration date, expiration date, expiry date, expires, expires on,
  expires at, expire, expire date, expiration time, paid till, renewal date, valid until, domain expires,
  record expires on, expiration`);
const REGISTRAR = keys(`
  registrar, registrar name, sponsoring registrar, authorized agency, registration service provider, registered by,
  current registar`);
const STATUS = keys('domain status, status, state, registration status, eppstatus, epp status');
const NAME_SERVERS = keys(`
  name server, name servers, nameserver, nameservers, nserver, domain nameservers, domain name servers, domain servers,
  domain servers in listed order, dns servers, servers, ns, ns name, host name, hostname`);
const COUNTRY = keys('registrant country, registrant country code, registrant country/economy');
const DOMAIN = keys('domain name, domain');

/** Under a heading `Registrar`, the name stands in one of these. */
const REGISTRAR_NAMES = ['name', 'organization', 'organization name', 'organisation'];

const FREE = /^(?:free|available|not registered|no object found|unassigned)\b/i;
const NOT_FOUND =
  /\b(?:no match|not found|no (?:matching|entries|data|records?|object|information|such domain)|nothing found|is (?:free|available)|220 available|not (?:been )?registered|does not exist|domain unknown|unknown domain|returned 0 objects)\b/i;
const REFUSED =
  /\b(?:exceeded|too (?:many|fast|short)|rate.?limit|limited to|quota|denied|refused|blocked|black.?listed|try again)\b/i;
/** How much of an answer is searched for such words: these answers are short, and terms of use are not. */
const MAX_REMARK_LENGTH = 4096;
const COMMENT = /^\s*[%#]/;

/** Reads the answer of a WHOIS server that was asked for `domain`. Never throws. */
export function readWhoisAnswer(text: string, domain: string, nowMs: number): WhoisAnswer {
  const fields = readWhoisFields(text);
  const named = firstValue(fields, DOMAIN)?.toLowerCase().replace(/\.$/, '');
  if (named !== undefined && isOtherDomain(named, domain)) return { outcome: 'unreadable' };
  const facts = readFacts(
    {
      registrar: firstValue(fields, REGISTRAR) ?? registrarUnderHeading(fields),
      created: firstValue(fields, CREATED),
      updated: firstValue(fields, UPDATED),
      expires: firstValue(fields, EXPIRES),
      statuses: statusesOf(fields),
      nameservers: fields.filter(({ key }) => NAME_SERVERS.has(key)).map(({ value }) => value),
      country: firstValue(fields, COUNTRY),
    },
    nowMs,
  );
  const referral = readReferral(fields);
  if (facts.createdAt === null && facts.statuses.some((status) => FREE.test(status))) return { outcome: 'not_found' };
  if (hasFacts(facts)) return { outcome: 'found', facts, referral };
  if (referral !== null) return { outcome: 'referred', referral };
  return { outcome: readRemark(text) };
}

/** What an answer without facts says: the first line that is clear counts, and comments only after all else. */
function readRemark(text: string): 'not_found' | 'refused' | 'unreadable' {
  const lines = text.slice(0, MAX_REMARK_LENGTH).split(/[\r\n]+/);
  for (const line of [...lines.filter((one) => !COMMENT.test(one)), ...lines.filter((one) => COMMENT.test(one))]) {
    if (REFUSED.test(line)) return 'refused';
    if (NOT_FOUND.test(line)) return 'not_found';
  }
  return 'unreadable';
}

function keys(list: string): ReadonlySet<string> {
  return new Set(list.split(',').map((key) => key.trim().replace(/\s+/g, ' ')));
}

/** What comes first is about the domain; below, the same keys may be about a contact or a name server. */
function firstValue(fields: readonly WhoisField[], among: ReadonlySet<string>): string | undefined {
  return fields.find(({ key }) => among.has(key))?.value;
}

/** `State` is a part of an address too, unless it stands alone or with the domain. */
function statusesOf(fields: readonly WhoisField[]): string[] {
  const isStatus = ({ key, section }: WhoisField) =>
    STATUS.has(key) && (key !== 'state' || /^(?:$|domain)/.test(section));
  const first = fields.find(isStatus);
  return fields
    .filter((field) => isStatus(field) && field.paragraph === first?.paragraph)
    .flatMap(({ value }) => value.split(', '));
}

function registrarUnderHeading(fields: readonly WhoisField[]): string | undefined {
  return fields.find((field) => field.section === 'registrar' && REGISTRAR_NAMES.includes(field.key))?.value;
}

/** Some servers answer for whatever resembles the question. A name in another script is left to pass. */
function isOtherDomain(named: string, domain: string): boolean {
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(named) && named !== domain;
}
