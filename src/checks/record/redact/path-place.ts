import { SECRET_NAMES } from '#src/core/knowledge/words/secret-names.ts';
import { isMadeUp, isShortMadeUp } from './random-looking.ts';
import { MASK } from './mask.ts';
import { isDialled, isPersonName, isRecordNumber } from './record-segment.ts';
import { type Announcement, announcementOf, isRoute } from './secret-name.ts';

/** What is known of a segment of a path before it is looked at. */
export interface SegmentPlace {
  /** The segment in front of it, as it is shown. */
  readonly before: string;
  readonly announced: Announcement;
  /** What the host says of each of its segments. */
  readonly byHost: Announcement;
}

/** What a segment says of the next. A path may say `/reset/password/…`, and put a user's number before the secret itself. */
export function nextAnnouncement(segment: string, announced: Announcement): Announcement {
  const announces = announcementOf(segment);
  const isPassed = isMasked(segment) || isOwnWord(segment);
  // Behind the number of a person often stands the name.
  if (announced === 'person' || announced === 'record') return announces ?? (isPassed ? announced : null);
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

/** What stands behind an announcement and is none of what it announces: a short word, or one of the site's. */
function isOwnWord(segment: string): boolean {
  return segment.length < 4 || isRoute(segment);
}

/** ASP.NET keeps the session in the path where a browser takes no cookies: `/(S(lit3py55t21z5v55vlm25s55))/`. */
const COOKIELESS_SESSION = /^\([A-Z]\(.+\)\)$/;
/** The folder of a person at SharePoint: the address with underscores in it. */
const OWNER = /^[\w-]+_[a-z\d]+_[a-z]{2,}$/i;
/** Addresses of telephones, whose scheme a path carries as well (RFC 3966, RFC 5724). */
const TELEPHONE_SCHEME = /^(?:tel|sms|callto|fax):/i;

/** A latitude or a longitude to a metre; a prefix of DOIs looks like one. */
const DEGREES = /^(?!10\.)-?\d{1,3}\.\d{5,20}$/;

/** Two places of which each has two decimals or more. */
const PLACE = /^-?\d{1,2}\.\d{2,20}, {0,3}-?\d{1,3}\.\d{2,20}$/;

const CALENDAR = /\.ics$/i;
const ENDING = /\.[a-z\d]{2,5}$/i;
/** How a surname stands behind the number of a booking. */
const CAPITALISED = /^\p{Lu}[\p{Ll}-]{2,}$/u;

/** Whether a segment, its escapes undone, is a secret for where it stands. */
export function isSecretSegment(segment: string, { before, announced, byHost }: SegmentPlace): boolean {
  if ((announced === 'secret' || byHost === 'secret') && !isOwnWord(segment)) return true;
  if (isAnnouncedPerson(segment, before, announced)) return true;
  if (announced !== null && announced !== 'published' && isAnnouncedToken(segment, announced)) return true;
  if ((announced === 'telephone' || byHost === 'telephone') && isDialled(segment)) return true;
  if (segment.includes(':') && TELEPHONE_SCHEME.test(segment) && isDialled(segment.replace(TELEPHONE_SCHEME, '')))
    return true;
  if (segment.startsWith('+') && isMadeUp(segment)) return true;
  if (DEGREES.test(segment) || PLACE.test(segment)) return true;
  return COOKIELESS_SESSION.test(segment) || (before === 'personal' && OWNER.test(segment));
}

/** Whether a segment, or the name of a file without its ending, is made up. */
function isAnnouncedToken(segment: string, announced: Announcement): boolean {
  const stem = segment.replace(ENDING, '');
  if (isMadeUp(segment) || isMadeUp(stem)) return true;
  return announced === 'maybe' && (isShortMadeUp(segment, 3) || (CALENDAR.test(segment) && isRecordNumber(stem)));
}

function isAnnouncedPerson(segment: string, before: string, announced: Announcement): boolean {
  if (announced !== 'person' && announced !== 'record' && !segment.startsWith('~')) return false;
  const stem = segment.replace(ENDING, '');
  if (isRecordNumber(stem) || isPersonName(segment) || isPersonName(stem)) return true;
  return before === MASK && CAPITALISED.test(segment);
}

/** Whether a segment is a hash that names a version of something, or a file that pages are made of. */
export function isEverybodys(segment: string, { announced }: SegmentPlace): boolean {
  if (announced === 'published') return /^[\w.-]+$/.test(segment);
  const [, ending] = /^[\w.~-]+(?:@\dx)?\.([a-z\d]{2,5})$/i.exec(segment) ?? [];
  return ending !== undefined && SECRET_NAMES.assets.has(ending.toLowerCase());
}
