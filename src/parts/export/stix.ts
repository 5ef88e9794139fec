import { MASK } from '#src/checks/record/redact/mask.ts';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import { visibleJson } from '#src/core/base/text/untrusted-text.ts';
import type { Host } from '#src/core/url/host.ts';
import { exportId } from './export-id.ts';
import type { ExportSubject } from './export-subject.ts';
import { createRecentFilter, type Suspect, suspectsAmong } from './suspects.ts';

/** An object of STIX 2.1. */
type StixObject = Readonly<Record<string, unknown>> & { readonly id: string };

/** The machine itself is described once for all: what says when is the same in every export. */
const IDENTITY_SINCE = '2026-01-01T00:00:00.000Z';

/** TLP:RED, one of the markings that STIX 2.1 itself defines (7.2.1.4). */
const TLP_RED = 'marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed';

/** The end of a bundle. */
export const STIX_END = '\n]}\n';

/** Begins the bundle that is known by `words`: what has the same words is the same bundle at another time. */
export function stixFrame(source: string, isPrivate: boolean, ...words: readonly string[]) {
  const marking = isPrivate ? { object_marking_refs: [TLP_RED] } : {};
  const identity = identityOf(source);
  const id = exportId('bundle', identity.id, ...words);
  return {
    /** The text of a bundle up to its second object. */
    beginning: `{"type":"bundle","id":"bundle--${id}","objects":[\n${visibleJson(JSON.stringify(identity))}`,
    marking,
    /** Creator and marking of objects. */
    common: { created_by_ref: identity.id, ...marking },
  };
}

/** An object behind another one. */
export function nextStixObject(object: StixObject): string {
  return `,\n${visibleJson(JSON.stringify(object))}`;
}

function identityOf(source: string): StixObject {
  return {
    type: 'identity',
    spec_version: '2.1',
    id: `identity--${exportId('identity', source)}`,
    created: IDENTITY_SINCE,
    modified: IDENTITY_SINCE,
    name: source,
    description: 'lurecheck, which says whether a link is phishing',
    identity_class: 'system',
  };
}

/** The namespace of the ids of observables (STIX 2.1, 2.9). */
const OBSERVABLES = '00abedb4-aa42-466c-9c01-fed23315a9b7';

/**
 * A bundle of STIX 2.1. Of each URL that was warned of or blocked it holds an indicator, what was observed, and that the one
 * is based on the other. The ids follow from the checks, so that two exports that hold the same check agree about it.
 */
export async function* writeStix(entries: AsyncIterable<LogEntry>, subject: ExportSubject): AsyncGenerator<string> {
  const frame = stixFrame(subject.source, subject.visibility === 'private', subject.selection);
  yield frame.beginning;
  const isNew = createRecentFilter();
  for await (const suspect of suspectsAmong(entries)) {
    const host = suspect.host && hostObservable(suspect.host);
    const observables = [suspect.isMasked ? null : observable('url', suspect.url), host].filter((one) => one !== null);
    const unsent = observables.filter((one) => isNew(one.id)).map((one) => ({ ...one, ...frame.marking }));
    for (const object of [...unsent, ...findingsOf(suspect, observables, frame.common)]) yield nextStixObject(object);
  }
  yield STIX_END;
}

function findingsOf(
  suspect: Suspect,
  observables: readonly StixObject[],
  frame: Readonly<Record<string, unknown>>,
): StixObject[] {
  const { requestId, timestamp, decision, probability, reason } = suspect;
  const beginning = <const T extends string>(type: T) => ({
    type,
    spec_version: '2.1',
    id: `${type}--${exportId(type, requestId)}`,
    ...frame,
    created: timestamp,
    modified: timestamp,
  });
  const indicator = {
    ...beginning('indicator'),
    name: decision === 'block' ? 'Phishing link' : 'Link that may be phishing',
    ...(reason !== null && { description: reason }),
    indicator_types: [decision === 'block' ? 'malicious-activity' : 'anomalous-activity'],
    pattern: stixPattern(suspect),
    pattern_type: 'stix',
    pattern_version: '2.1',
    valid_from: timestamp,
    confidence: Math.round(probability * 100),
    labels: ['phishing', decision],
  };
  if (observables.length === 0) return [indicator];
  const observed = {
    ...beginning('observed-data'),
    first_observed: timestamp,
    last_observed: timestamp,
    number_observed: 1,
    object_refs: observables.map(({ id }) => id),
  };
  const relationship = {
    ...beginning('relationship'),
    relationship_type: 'based-on',
    source_ref: indicator.id,
    target_ref: observed.id,
  };
  return [indicator, observed, relationship];
}

/** A name as DNS has it (RFC 1034, 3.5). */
const DNS_NAME = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.|$))+$/;

function hostObservable({ kind, text }: Host): StixObject | null {
  if (kind !== 'name') return observable(`${kind}-addr`, text);
  return DNS_NAME.test(text) ? observable('domain-name', text) : null;
}

/** Its id follows from its value alone, by STIX's own rule: everybody who observes the same gives it the same id. */
function observable(type: 'url' | 'domain-name' | 'ipv4-addr' | 'ipv6-addr', value: string): StixObject {
  const id = Bun.randomUUIDv5(JSON.stringify({ value }), OBSERVABLES);
  return { type, spec_version: '2.1', id: `${type}--${id}`, value };
}

/**
 * Returns a pattern that matches a URL (STIX 2.1, 9). Masked parts match any text; a front page also matches by its
 * host.
 */
function stixPattern({
  url,
  isMasked,
  isFrontPage,
  host,
}: Pick<Suspect, 'url' | 'isMasked' | 'isFrontPage' | 'host'>): string {
  if (isMasked) return `[url:value MATCHES ${stixLiteral(`^${url.split(MASK).map(escapeExpression).join('.+')}$`)}]`;
  const found = `[url:value = ${stixLiteral(url)}]`;
  if (!isFrontPage || host === null) return found;
  const type = host.kind === 'name' ? 'domain-name' : `${host.kind}-addr`;
  return `${found} OR [${type}:value = ${stixLiteral(host.text)}]`;
}

/** A string of the pattern language: in quotes, with a backslash before each quote and each backslash. */
export function stixLiteral(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

/** A text as a regular expression that finds it, in the languages of POSIX, Perl and JavaScript alike. */
export function escapeExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
