import { SECRET_NAMES } from '#src/core/knowledge/words/secret-names.ts';
import { MASK } from './mask.ts';
import { isRandomValue, isShortRandomValue } from './random-looking.ts';
import { type Announcement, announcementOf, isRoute } from './secret-name.ts';
import { isPersonName, isPhoneDigits, isRecordNumber } from './secret-value.ts';

/** Knowledge about the path segments of a host, which are passed in order. */
interface HostPath {
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
  ...[...Map.groupBy(SECRET_NAMES.sharingPlaces, (place) => place.slice(0, place.indexOf('/')))].map(
    ([host, places]) =>
      [host, { byHost: null, sharing: new Set(places.map((it) => it.slice(host.length + 1))) }] as const,
  ),
  ...[...SECRET_NAMES.sharingHosts].map((host) => [host, { byHost: 'secret', sharing: null }] as const),
  ...[...SECRET_NAMES.telephoneHosts].map((host) => [host, { byHost: 'telephone', sharing: null }] as const),
]);

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

/** Context of a path segment. */
export interface SegmentPlace {
  /** The preceding segment, as it is shown. */
  readonly before: string;
  readonly announced: Announcement;
  /** Announcement by the host for its segments. */
  readonly byHost: Announcement;
}

/**
 * Returns what a segment announces about the next. A path may contain `/reset/password/…`, and a user's number before
 * the secret.
 */
export function nextAnnouncement(segment: string, announced: Announcement): Announcement {
  const announces = announcementOf(segment);
  // The name often follows the number of a person.
  if (announced === 'person' || announced === 'record') {
    const isPassed = isMasked(segment) || isOwnWord(segment);
    return announces ?? (isPassed ? announced : null);
  }
  if (announces === 'published' || announced !== 'secret') {
    const goesOn = isMasked(segment) || (announced === 'maybe' && isOwnWord(segment));
    return announces ?? (goesOn ? 'maybe' : null);
  }
  if (isMasked(segment)) return announces ?? 'maybe';
  return isOwnWord(segment) ? 'secret' : announces;
}

function isMasked(segment: string): boolean {
  return segment === MASK || segment.startsWith(`${MASK};`);
}

/**
 * Returns true for a short word or one of the site's, which follows an announcement without being the announced value.
 */
function isOwnWord(segment: string): boolean {
  return segment.length < 4 || isRoute(segment);
}

/** ASP.NET puts the session into the path if cookies are refused: `/(S(lit3py55t21z5v55vlm25s55))/`. */
const COOKIELESS_SESSION = /^\([A-Z]\(.+\)\)$/;
/** Personal folder in SharePoint: the address with underscores. */
const OWNER = /^[\w-]+_[a-z\d]+_[a-z]{2,}$/i;
/** Telephone schemes, which also occur in paths (RFC 3966, RFC 5724). */
const TELEPHONE_SCHEME = /^(?:tel|sms|callto|fax):/i;

/** A latitude or longitude to a metre; prefixes of DOIs look similar. */
const DEGREES = /^(?!10\.)-?\d{1,3}\.\d{5,20}$/;

/** Two coordinates with at least two decimals each. */
const PLACE = /^-?\d{1,2}\.\d{2,20}, {0,3}-?\d{1,3}\.\d{2,20}$/;

const CALENDAR = /\.ics$/i;
const ENDING = /\.[a-z\d]{2,5}$/i;
/** A surname after the number of a booking. */
const CAPITALISED = /^\p{Lu}[\p{Ll}-]{2,}$/u;

/** Returns true if an unescaped segment is a secret in its context. */
export function isSecretSegment(segment: string, { before, announced, byHost }: SegmentPlace): boolean {
  if ((announced === 'secret' || byHost === 'secret') && !isOwnWord(segment)) return true;
  if (isAnnouncedPerson(segment, before, announced)) return true;
  if (announced !== null && announced !== 'published' && isAnnouncedToken(segment, announced)) return true;
  if ((announced === 'telephone' || byHost === 'telephone') && isPhoneDigits(segment)) return true;
  if (segment.includes(':') && TELEPHONE_SCHEME.test(segment) && isPhoneDigits(segment.replace(TELEPHONE_SCHEME, '')))
    return true;
  if (segment.startsWith('+') && isRandomValue(segment)) return true;
  if (DEGREES.test(segment) || PLACE.test(segment)) return true;
  return COOKIELESS_SESSION.test(segment) || (before === 'personal' && OWNER.test(segment));
}

/** Returns true if a segment, or a file name without its extension, is a random value. */
function isAnnouncedToken(segment: string, announced: Announcement): boolean {
  const stem = segment.replace(ENDING, '');
  if (isRandomValue(segment) || isRandomValue(stem)) return true;
  return announced === 'maybe' && (isShortRandomValue(segment, 3) || (CALENDAR.test(segment) && isRecordNumber(stem)));
}

function isAnnouncedPerson(segment: string, before: string, announced: Announcement): boolean {
  if (announced !== 'person' && announced !== 'record' && !segment.startsWith('~')) return false;
  const stem = segment.replace(ENDING, '');
  if (isRecordNumber(stem) || isPersonName(segment) || isPersonName(stem)) return true;
  return before === MASK && CAPITALISED.test(segment);
}

/** Returns true if a segment is a version hash or a page asset. */
export function isPublicSegment(segment: string, { announced }: SegmentPlace): boolean {
  if (announced === 'published') return /^[\w.-]+$/.test(segment);
  const [, ending] = /^[\w.~-]+(?:@\dx)?\.([a-z\d]{2,5})$/i.exec(segment) ?? [];
  return ending !== undefined && SECRET_NAMES.assets.has(ending.toLowerCase());
}
