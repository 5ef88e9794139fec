import { SECRET_NAMES } from '#src/core/knowledge/words/secret-names.ts';
import type { Announcement } from './secret-name.ts';

/** Knowledge about the path segments of a host, which are passed in order. */
export interface HostPath {
  /** Returns what the host implies for a segment: a secret that grants access, or a telephone number. */
  announce(segment: string): Announcement;
  /** Advances past a segment, as it is shown. */
  pass(shown: string): void;
}

/** Facts about a host. */
interface HostFacts {
  readonly byHost: Announcement;
  /** Lower-case path prefixes after which the rest grants access; null if there are none. */
  readonly sharing: ReadonlySet<string> | null;
}

const ELSEWHERE: HostPath = { announce: () => null, pass() {} };

const HOSTS: ReadonlyMap<string, HostFacts> = new Map<string, HostFacts>([
  ...[...Map.groupBy(SECRET_NAMES.sharingPlaces, hostOfPlace)].map(
    ([host, places]) =>
      [host, { byHost: null, sharing: new Set(places.map((it) => it.slice(host.length + 1))) }] as const,
  ),
  ...[...SECRET_NAMES.sharingHosts].map((host) => [host, { byHost: 'secret', sharing: null }] as const),
  ...[...SECRET_NAMES.telephoneHosts].map((host) => [host, { byHost: 'telephone', sharing: null }] as const),
]);

function hostOfPlace(place: string): string {
  return place.slice(0, place.indexOf('/'));
}

/** Maximum labels of a customer's host below a service's domain. */
const MAX_LABELS = 5;

/** Maximum length of a path prefix in the table. */
const MAX_PLACE_LENGTH = 64;

/** Starts a path at a host or the nearest known parent domain. */
export function startHostPath(authority: string): HostPath {
  const facts = factsOf(authority);
  if (facts === null) return ELSEWHERE;
  let { byHost, sharing } = facts;
  let walked = '';
  return {
    announce(segment) {
      const isPublic = walked === '' && byHost === 'secret' && SECRET_NAMES.sections.has(segment.toLowerCase());
      if (isPublic) byHost = null;
      return byHost;
    },
    pass(shown) {
      walked = walked === '' ? shown.toLowerCase() : sharing ? `${walked}/${shown.toLowerCase()}` : walked;
      if (sharing?.has(walked)) byHost = 'secret';
      if (walked.length > MAX_PLACE_LENGTH) sharing = null;
    },
  };
}

function factsOf(authority: string): HostFacts | null {
  const name = authority.slice(authority.lastIndexOf('@') + 1);
  let host = (name.includes(':') ? name.slice(0, name.indexOf(':')) : name).toLowerCase();
  for (let labels = 0; labels < MAX_LABELS; labels++) {
    const found = HOSTS.get(host);
    if (found !== undefined) return found;
    const dot = host.indexOf('.');
    if (dot === -1) break;
    host = host.slice(dot + 1);
  }
  return null;
}
