import { truncateText } from '#src/core/base/text/truncate-text.ts';
import { plainLine } from '#src/core/base/text/untrusted-text.ts';
import { parseRegistryDate } from './date.ts';

/** What one answer of a registry says. Dates are ISO 8601 UTC, null where unknown or unreadable. */
export interface RegistrationFacts {
  readonly registrar: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly expiresAt: string | null;
  /** As the registry spells them, without links. */
  readonly statuses: readonly string[];
  /** Lower case, without the final dot. */
  readonly nameservers: readonly string[];
  /** ISO 3166-1 alpha-2, upper case; null where withheld. */
  readonly registrantCountry: string | null;
}

/** The facts of an answer that says nothing. */
export const NO_FACTS: RegistrationFacts = {
  registrar: null,
  createdAt: null,
  updatedAt: null,
  expiresAt: null,
  statuses: [],
  nameservers: [],
  registrantCountry: null,
};

/** What an answer said in so many words; each list may hold the same thing several times, in any spelling. */
export interface RawFacts {
  readonly registrar?: string | undefined;
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
  readonly expires?: string | undefined;
  readonly statuses?: readonly string[] | undefined;
  readonly nameservers?: readonly string[] | undefined;
  readonly country?: string | undefined;
}

/** The longest text kept of one field, in UTF-16 code units, and the most entries kept of one list. */
const MAX_FIELD_LENGTH = 256;
const MAX_LIST_LENGTH = 32;

const HOST_NAME = /^(?=.{4,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62}\.){1,16}[a-z0-9-]{2,63}$/;
/** What privacy services and registries write where they withhold a name. */
const WITHHELD = /\b(?:redacted|not disclosed|data protected|withheld|privacy)\b/i;

/**
 * Tidies and checks what an answer said. A creation or a change that lies in the future is a mistake or a lie, and
 * becomes null.
 */
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

/** Returns true if an answer said anything at all. */
export function hasFacts(facts: RegistrationFacts): boolean {
  return Object.values(facts).some((fact) => (Array.isArray(fact) ? fact.length > 0 : fact !== null));
}

/** The facts of `first`, with what it does not say taken from `second`. */
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

/** The host name at the start of `ns1.example.com. 192.0.2.1`; empty where there is none. */
function readHostName(text: string): string {
  const [first = ''] = shortLine(text)
    .toLowerCase()
    .split(/[\s,;[(]/, 1);
  const name = first.replace(/\.$/, '');
  return HOST_NAME.test(name) ? name : '';
}

/** The texts that are not empty, each once, whatever its letter case. */
function distinct(texts: readonly string[]): string[] {
  const bySpelling = Map.groupBy(texts.filter(Boolean), (text) => text.toLowerCase());
  return [...bySpelling.values()].flatMap(([first]) => first ?? []).slice(0, MAX_LIST_LENGTH);
}
