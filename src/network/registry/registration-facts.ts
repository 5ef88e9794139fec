import { DAY_MS } from '#src/core/base/clock.ts';
import { truncateText } from '#src/core/base/text/truncate-text.ts';
import { plainLine } from '#src/core/base/text/untrusted-text.ts';
import { parseRegistryDate } from './date.ts';

/** Facts in one answer of a registry. Dates are ISO 8601 UTC, null if unknown or unreadable. */
export interface RegistrationFacts {
  readonly registrar: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly expiresAt: string | null;
  /** In the spelling of the registry, without links. */
  readonly statuses: readonly string[];
  /** Lower case, without the final dot. */
  readonly nameservers: readonly string[];
  /** ISO 3166-1 alpha-2, upper case; null if withheld. */
  readonly registrantCountry: string | null;
}

/** Facts of an empty answer. */
export const NO_FACTS: RegistrationFacts = {
  registrar: null,
  createdAt: null,
  updatedAt: null,
  expiresAt: null,
  statuses: [],
  nameservers: [],
  registrantCountry: null,
};

/** Unnormalised facts of an answer; lists may contain duplicates in any spelling. */
export interface RawFacts {
  readonly registrar?: string | undefined;
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
  readonly expires?: string | undefined;
  readonly statuses?: readonly string[] | undefined;
  readonly nameservers?: readonly string[] | undefined;
  readonly country?: string | undefined;
}

/** Maximum length of one field, in UTF-16 code units, and maximum number of entries of one list. */
const MAX_FIELD_LENGTH = 256;
const MAX_LIST_LENGTH = 32;

const HOST_NAME = /^(?=.{4,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62}\.){1,16}[a-z0-9-]{2,63}$/;
/** Placeholders of privacy services and registries for a withheld name. */
const WITHHELD = /\b(?:redacted|not disclosed|data protected|withheld|privacy)\b/i;

/** Normalises and validates an answer. A creation or change date in the future is wrong, and becomes null. */
export function normalizeFacts(raw: RawFacts, nowMs: number): RegistrationFacts {
  const registrar = withoutLink(raw.registrar ?? '');
  return {
    registrar: registrar === '' || WITHHELD.test(registrar) ? null : registrar,
    createdAt: pastDate(raw.created, nowMs),
    updatedAt: pastDate(raw.updated, nowMs),
    expiresAt: raw.expires === undefined ? null : parseRegistryDate(raw.expires),
    statuses: distinct((raw.statuses ?? []).map(withoutLink)),
    nameservers: distinct((raw.nameservers ?? []).map(readHostName)),
    registrantCountry: /^[a-z]{2}$/i.test(raw.country ?? '') ? (raw.country ?? '').toUpperCase() : null,
  };
}

/** Returns true if an answer has any fact. */
export function hasFacts(facts: RegistrationFacts): boolean {
  return Object.values(facts).some((fact) => (Array.isArray(fact) ? fact.length > 0 : fact !== null));
}

/** Returns the facts of `first`, completed by those of `second`. */
export function mergeFacts(first: RegistrationFacts, second: RegistrationFacts): RegistrationFacts {
  return {
    registrar: first.registrar ?? second.registrar,
    createdAt: first.createdAt ?? second.createdAt,
    updatedAt: first.updatedAt ?? second.updatedAt,
    expiresAt: first.expiresAt ?? second.expiresAt,
    statuses: first.statuses.length > 0 ? first.statuses : second.statuses,
    nameservers: first.nameservers.length > 0 ? first.nameservers : second.nameservers,
    registrantCountry: first.registrantCountry ?? second.registrantCountry,
  };
}

/** A text from the network as one plain line, cut short. */
function shortLine(text: string): string {
  return truncateText(plainLine(text.slice(0, 4 * MAX_FIELD_LENGTH)), MAX_FIELD_LENGTH);
}

function pastDate(text: string | undefined, nowMs: number): string | null {
  const date = text === undefined ? null : parseRegistryDate(text);
  return date !== null && Date.parse(date) <= nowMs ? date : null;
}

/** `clientHold https://icann.org/epp#clientHold` without its link. */
function withoutLink(text: string): string {
  return shortLine(text).replace(/ ?\(? ?https?:.*/s, '');
}

/** Returns the host name at the start of `ns1.example.com. 192.0.2.1`; empty if there is none. */
function readHostName(text: string): string {
  const [first = ''] = shortLine(text)
    .toLowerCase()
    .split(/[\s,;[(]/, 1);
  const name = first.replace(/\.$/, '');
  return HOST_NAME.test(name) ? name : '';
}

/** Returns the distinct texts that are not empty, ignoring case. */
function distinct(texts: readonly string[]): string[] {
  const bySpelling = Map.groupBy(texts.filter(Boolean), (text) => text.toLowerCase());
  return [...bySpelling.values()].flatMap(([first]) => first ?? []).slice(0, MAX_LIST_LENGTH);
}

/** Answer of a registry for the registrable domain. */
export interface RegistryAnswer extends RegistrationFacts {
  /** Protocol of the query. */
  readonly source: 'rdap' | 'whois';
  /** The domain that was asked for. */
  readonly domain: string;
}

/** The registration at the time of a check. */
export interface Registration extends RegistryAnswer {
  /** Whole days since `createdAt`; null if that is unknown. */
  readonly ageDays: number | null;
}

/** Derives the registration at a given time from an answer. */
export function registrationAt(answer: RegistryAnswer, nowMs: number): Registration {
  const { createdAt } = answer;
  return { ...answer, ageDays: createdAt === null ? null : Math.floor((nowMs - Date.parse(createdAt)) / DAY_MS) };
}
