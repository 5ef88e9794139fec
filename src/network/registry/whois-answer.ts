import { parseIp } from '#src/core/base/addresses/ip.ts';
import { WHOIS_KEYS, WHOIS_NOT_FOUND, WHOIS_REFUSED } from '#src/core/knowledge/registries/whois-terms.ts';
import { parseRegistryDate } from './date.ts';
import { hasFacts, normalizeFacts, type RegistrationFacts } from './registration-facts.ts';

/** One statement of a WHOIS answer. */
interface WhoisField {
  /** The heading above it, in the spelling of {@link WhoisField.key}; empty if there is none. */
  readonly section: string;
  /**
   * Normalised key: lower case, without dots, dashes, underscores and a trailing number, so that `Name-Server.2` is
   * `name server`.
   */
  readonly key: string;
  /** Never empty. */
  readonly value: string;
  /** Number of the paragraph: many servers give one object each, first the domain's, then those of its contacts. */
  readonly paragraph: number;
}

const MAX_LINES = 4000;
const MAX_LINE_LENGTH = 1024;
const MAX_KEY_LENGTH = 60;

const COMMENT_LINE = /^\s*(?:%|#|>>>|--)/;
/** Prefix of keys of some registries (`.tr`, `.co.jp`): asterisks, or a letter that numbers the line. */
const BULLET = /^\s*(?:\*+\s*|[a-z]\.\s+(?=\[))/;
const BRACKETED = /^\[([^\]]{1,60})\]\s*(.*)$/;
/** `Record created on 2003-05-06`, as `.tw` writes, and `Registered on 6th May 2003`, as `.gg` does. */
const SENTENCE = /^(record (?:created|expires) on|registered on) (\d.*)$/i;
/** A key begins with a letter and contains neither a year nor a host name: those are in values. */
const KEY = /^(?!.*(?:\d{4}|\.[a-z0-9]))[a-z][^:]*$/i;

/**
 * Takes a WHOIS answer apart. There is no standard (RFC 3912 leaves it to each server), but nearly all use one of four
 * layouts: `key: value`; `[key] value`; a key with its values on the lines below, up to a blank line; and a heading
 * with `key: value` lines below.
 */
export function readWhoisFields(text: string): WhoisField[] {
  const fields: WhoisField[] = [];
  let section = '';
  let open = '';
  let paragraph = 0;
  for (const raw of text.split(/\r\n|\n|\r/, MAX_LINES)) {
    const line = raw.slice(0, MAX_LINE_LENGTH).replace(BULLET, '').trim();
    if (COMMENT_LINE.test(line)) continue;
    if (line === '') {
      section = '';
      open = '';
      paragraph++;
      continue;
    }
    const pair = splitLine(line);
    if (pair) {
      open = pair.key;
      if (pair.value === '') section = pair.key;
      else fields.push({ section, ...pair, paragraph });
    } else if (open !== '') {
      fields.push({ section, key: open, value: line, paragraph });
    } else {
      section = normalKey(line);
      open = section;
    }
  }
  return fields;
}

function splitLine(line: string): { key: string; value: string } | null {
  const marked = BRACKETED.exec(line) ?? SENTENCE.exec(line);
  if (marked) return { key: normalKey(marked[1] ?? ''), value: (marked[2] ?? '').trim() };
  // The colon of an address (`https://`) parts nothing.
  const colon = line.search(/:(?!\/\/)/);
  const key = line.slice(0, Math.max(colon, 0)).trim();
  if (key.length > MAX_KEY_LENGTH || !KEY.test(key)) return null;
  return { key: normalKey(key), value: line.slice(colon + 1).trim() };
}

function normalKey(text: string): string {
  return text
    .slice(0, MAX_KEY_LENGTH)
    .toLowerCase()
    .replace(/[\s._-]+/g, ' ')
    .replace(/ ?\d{1,2} ?$/, '')
    .trim();
}

/** Answer of a WHOIS server about a domain. `referral` is the next server to query, null if there is none. */
export type WhoisAnswer =
  | { readonly outcome: 'found'; readonly facts: RegistrationFacts; readonly referral: string | null }
  | { readonly outcome: 'referred'; readonly referral: string }
  | { readonly outcome: 'not_found' | 'refused' | 'unreadable' };

/** Under a heading `Registrar`, one of these keys has the name. */
const REGISTRAR_NAMES = ['name', 'organization', 'organization name', 'organisation'];

const FREE = /^(?:free|available|not registered|no object found|unassigned)\b/i;
/**
 * Number of characters of an answer that are searched for such words: these answers are short, and terms of use are
 * long.
 */
const MAX_REMARK_LENGTH = 4096;
const COMMENT = /^\s*[%#]/;

/** Reads the answer of a WHOIS server that was asked for `domain`. Never throws. */
export function readWhoisAnswer(text: string, domain: string, nowMs: number): WhoisAnswer {
  const all = readWhoisFields(text);
  const fields = aboutDomain(all, domain);
  const named = firstValue(fields, WHOIS_KEYS.domain)?.toLowerCase().replace(/\.$/, '');
  if (named !== undefined && isOtherDomain(named, domain)) return { outcome: 'unreadable' };
  const facts = normalizeFacts(
    {
      registrar: firstValue(fields, WHOIS_KEYS.registrar) ?? registrarUnderHeading(fields),
      created: firstDate(fields, WHOIS_KEYS.created) ?? changeDates(fields, ASSIGNED).at(-1),
      updated: firstDate(fields, WHOIS_KEYS.updated) ?? changeDates(fields, ANY_CHANGE).at(-1),
      expires: firstDate(fields, WHOIS_KEYS.expires),
      statuses: statusesOf(fields),
      nameservers: fields.filter(({ key }) => WHOIS_KEYS.nameServers.has(key)).map(({ value }) => value),
      country: firstValue(fields, WHOIS_KEYS.country),
    },
    nowMs,
  );
  const referral = readReferral(all);
  if (facts.createdAt === null && facts.statuses.some((status) => FREE.test(status))) return { outcome: 'not_found' };
  if (hasFacts(facts)) return { outcome: 'found', facts, referral };
  if (referral !== null) return { outcome: 'referred', referral };
  return { outcome: readRemark(text) };
}

/**
 * The fields about the domain: before these, some servers and clients have what IANA says of its suffix, with a date of
 * its own. None if the answer is about the suffix alone.
 */
function aboutDomain(fields: readonly WhoisField[], domain: string): readonly WhoisField[] {
  const suffixAt = fields.findIndex(({ key, value }) => WHOIS_KEYS.domain.has(key) && isSuffixOf(value, domain));
  const ownAt = fields.findIndex(({ key, value }) => WHOIS_KEYS.domain.has(key) && nameIn(value) === domain);
  if (suffixAt === -1 || (ownAt !== -1 && ownAt < suffixAt)) return fields;
  const ianaEnd = fields.findIndex(({ key, value }) => key === 'source' && /^iana$/i.test(value));
  const start = ianaEnd === -1 ? ownAt : ianaEnd + 1;
  return start === -1 ? [] : fields.slice(start);
}

const nameIn = (value: string) => value.toLowerCase().replace(/\.$/, '');

function isSuffixOf(value: string, domain: string): boolean {
  const name = nameIn(value).replace(/^\./, '');
  return name !== '' && domain.endsWith(`.${name}`);
}

/** Classifies an answer without facts: by the first clear line, and by comments last. */
function readRemark(text: string): 'not_found' | 'refused' | 'unreadable' {
  const lines = text.slice(0, MAX_REMARK_LENGTH).split(/[\r\n]+/);
  for (const line of [...lines.filter((one) => !COMMENT.test(one)), ...lines.filter((one) => COMMENT.test(one))]) {
    if (WHOIS_REFUSED.test(line)) return 'refused';
    if (WHOIS_NOT_FOUND.test(line)) return 'not_found';
  }
  return 'unreadable';
}

/** Returns the first value, which is about the domain; later ones may be about a contact or a name server. */
function firstValue(fields: readonly WhoisField[], among: ReadonlySet<string>): string | undefined {
  return fields.find(({ key }) => among.has(key))?.value;
}

function firstDate(fields: readonly WhoisField[], among: ReadonlySet<string>): string | undefined {
  return fields.find(({ key, value }) => among.has(key) && parseRegistryDate(value) !== null)?.value;
}

/** `changed: domain-registrar AT isoc.org.il 19961026 (Assigned)`, as `.il` writes: who changed it, when, and how. */
const ANY_CHANGE = /^\S.*\s(\d{8})(?:\s+\([^)]*\))?$/;
const ASSIGNED = /^\S.*\s(\d{8})\s+\(assigned\)$/i;

/** Returns the dates of changes of the domain, which come before those of its contacts, in their order. */
function changeDates(fields: readonly WhoisField[], form: RegExp): string[] {
  const changes = fields.filter(({ key }) => key === 'changed');
  return changes
    .filter(({ paragraph }) => paragraph === changes[0]?.paragraph)
    .flatMap(({ value }) => form.exec(value)?.[1] ?? []);
}

/** `State` is a part of an address too, unless it stands alone or with the domain. */
function statusesOf(fields: readonly WhoisField[]): string[] {
  const isStatus = ({ key, section }: WhoisField) =>
    WHOIS_KEYS.status.has(key) && (key !== 'state' || /^(?:$|domain)/.test(section));
  const first = fields.find(isStatus);
  return fields
    .filter((field) => isStatus(field) && field.paragraph === first?.paragraph)
    .flatMap(({ value }) => value.split(', '));
}

function registrarUnderHeading(fields: readonly WhoisField[]): string | undefined {
  return fields.find((field) => field.section === 'registrar' && REGISTRAR_NAMES.includes(field.key))?.value;
}

/** Some servers answer about similar names. A name in another script is accepted. */
function isOtherDomain(named: string, domain: string): boolean {
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(named) && named !== domain;
}

/** IANA uses `refer` or `whois`; the thin registries name the registrar's server. */
const REFERRAL_KEYS = ['registrar whois server', 'whois server', 'refer', 'whois'];

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const NUMERIC_LABEL = /^(?:\d+|0x[0-9a-f]*)$/;

/**
 * Returns the server that an answer refers to. A referral is untrusted input: only a plain host name is accepted, never
 * an address, a port, a URL or a name that can be read as a number (`127.1`), and the port is always 43.
 */
export function readReferral(fields: readonly WhoisField[]): string | null {
  const value = fields.find((field) => REFERRAL_KEYS.includes(field.key))?.value;
  return value === undefined ? null : readServerName(value);
}

function readServerName(text: string): string | null {
  const name = text.toLowerCase().replace(/\.$/, '');
  const labels = name.split('.');
  if (name.length > 253 || labels.length < 2 || parseIp(name) !== null) return null;
  if (!labels.every((label) => LABEL.test(label)) || NUMERIC_LABEL.test(labels.at(-1) ?? '')) return null;
  return name;
}
