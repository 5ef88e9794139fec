import { SECRET_NAMES } from '#src/core/knowledge/words/secret-names.ts';
import type { Announcement } from './secret-name.ts';

/** What a host says of the segments of a path under it, which are passed one after the other. */
export interface HostPath {
  /** Returns what the host says of a segment: that it lets its holder in, or is a telephone number. */
  announce(segment: string): Announcement;
  /** Goes on behind a segment, as it is shown. */
  pass(shown: string): void;
}

/** What is known of a host. */
interface HostFacts {
  readonly byHost: Announcement;
  /** The beginnings of paths behind which the rest lets its holder in, in small letters; null where there are none. */
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

/** No service puts a customer deeper below its domain. */
const MAX_LABELS = 5;

/** No beginning of a path in the table is longer. */
const MAX_PLACE_LENGTH = 64;

/** Begins a path at a host, or at the nearest domain above it of which something is known. */
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
