import { visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { exportId } from './export-id.ts';

/** An object of STIX 2.1. */
export type StixObject = Readonly<Record<string, unknown>> & { readonly id: string };

/** Beginning of a bundle, and common properties of its objects. */
export interface StixFrame {
  /** The text of a bundle up to its second object. */
  readonly beginning: string;
  readonly marking: { readonly object_marking_refs?: readonly string[] };
  /** Creator and marking of objects. */
  readonly common: { readonly created_by_ref: string; readonly object_marking_refs?: readonly string[] };
}

/** The machine itself is described once for all: what says when is the same in every export. */
const IDENTITY_SINCE = '2026-01-01T00:00:00.000Z';

/** TLP:RED, one of the markings that STIX 2.1 itself defines (7.2.1.4). */
const TLP_RED = 'marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed';

/** The end of a bundle. */
export const STIX_END = '\n]}\n';

/** Begins the bundle that is known by `words`: what has the same words is the same bundle at another time. */
export function stixFrame(source: string, isPrivate: boolean, ...words: readonly string[]): StixFrame {
  const marking = isPrivate ? { object_marking_refs: [TLP_RED] } : {};
  const identity = identityOf(source);
  const id = exportId('bundle', identity.id, ...words);
  return {
    beginning: `{"type":"bundle","id":"bundle--${id}","objects":[\n${visibleJson(JSON.stringify(identity))}`,
    marking,
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
