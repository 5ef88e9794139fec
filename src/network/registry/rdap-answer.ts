import { parseRegistryDate } from './date.ts';
import { normalizeFacts, type RegistrationFacts } from './registration-facts.ts';

/** Answer of an RDAP server about a domain. `related` is the link to further data, unvalidated. */
export interface RdapAnswer {
  readonly facts: RegistrationFacts;
  readonly related: string | null;
}

/** Maximum number of members of one list that are read, and maximum depth of nested entities. */
const MAX_ITEMS = 256;
const MAX_DEPTH = 3;

/**
 * Reads the domain object of RFC 9083 §5.3. Members of another shape count as absent. Null if the answer is not a
 * domain object, or is one of another domain. Never throws.
 */
export function readRdapAnswer(object: unknown, domain: string, nowMs: number): RdapAnswer | null {
  const name = asText(member(object, 'ldhName'))?.toLowerCase().replace(/\.$/, '');
  const objectClass = asText(member(object, 'objectClassName'));
  // Some servers leave the class out; an object that names the domain is about it then.
  const isDomain = objectClass === undefined ? name === domain : isWord(objectClass, 'domain');
  if (!isDomain || (name !== undefined && name !== domain)) return null;
  const entities = entitiesOf(object, MAX_DEPTH);
  const registrar = entities.find((entity) => hasRole(entity, 'registrar'));
  const registrant = entities.find((entity) => hasRole(entity, 'registrant'));
  const facts = normalizeFacts(
    {
      registrar: vcardText(registrar, 'fn') ?? vcardText(registrar, 'org') ?? asText(member(registrar, 'handle')),
      created: registeredDate(object, nowMs),
      updated: eventDate(object, 'last changed'),
      expires: eventDate(object, 'expiration'),
      statuses: asList(member(object, 'status')).flatMap((status) => asText(status) ?? []),
      nameservers: asList(member(object, 'nameservers')).flatMap((server) => asText(member(server, 'ldhName')) ?? []),
      country: countryOf(registrant),
    },
    nowMs,
  );
  return { facts, related: relatedLink(object) };
}

/** Returns an own member of a JSON object; undefined if the value is not an object or lacks it. */
function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [];
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A name that was dropped and registered again is as old as its present registration. */
function registeredDate(object: unknown, nowMs: number): string | undefined {
  const dates = ['registration', 'reregistration'].flatMap((action) => eventDate(object, action) ?? []);
  const timeOf = (date: string) => Date.parse(parseRegistryDate(date) ?? '');
  return dates.filter((date) => timeOf(date) <= nowMs).sort((a, b) => timeOf(b) - timeOf(a))[0];
}

/** The first readable date of an event. */
function eventDate(object: unknown, action: string): string | undefined {
  const dates = asList(member(object, 'events'))
    .filter((event) => isWord(member(event, 'eventAction'), action))
    .flatMap((event) => asText(member(event, 'eventDate')) ?? []);
  return dates.find((date) => parseRegistryDate(date) !== null);
}

/** Returns true for a word of the RFC in any letter case, with or without its spaces. */
function isWord(value: unknown, word: string): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '');
  return typeof value === 'string' && value.length < 64 && letters(value) === letters(word);
}

/** Returns the entities of an object and of these entities, because a registrar may be nested. */
function entitiesOf(object: unknown, depth: number): unknown[] {
  if (depth === 0) return [];
  const own = asList(member(object, 'entities'));
  return [...own, ...own.flatMap((entity) => entitiesOf(entity, depth - 1))].slice(0, MAX_ITEMS);
}

function hasRole(entity: unknown, role: string): boolean {
  return asList(member(entity, 'roles')).some((one) => isWord(one, role));
}

/** The properties of a jCard (RFC 7095): `["vcard", [[name, parameters, type, value], …]]`. */
function vcardProperty(entity: unknown, name: string): readonly unknown[] | undefined {
  return asList(asList(member(entity, 'vcardArray'))[1])
    .map(asList)
    .find((property) => property[0] === name);
}

function vcardText(entity: unknown, name: string): string | undefined {
  return asText(vcardProperty(entity, name)?.[3]);
}

/** The `cc` parameter of the address (RFC 8605), else the last part of it where that is a two-letter code. */
function countryOf(entity: unknown): string | undefined {
  const address = vcardProperty(entity, 'adr');
  return asText(member(address?.[1], 'cc')) ?? asText(asList(address?.[3])[6]);
}

function relatedLink(object: unknown): string | null {
  const link = asList(member(object, 'links')).find(
    (candidate) =>
      isWord(member(candidate, 'rel'), 'related') && /\brdap\b/i.test(asText(member(candidate, 'type')) ?? ''),
  );
  return asText(member(link, 'href')) ?? null;
}
