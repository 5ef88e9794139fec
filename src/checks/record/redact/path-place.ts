import { SECRET_NAMES } from '#src/core/knowledge/words/secret-names.ts';
import { MASK } from './mask.ts';
import { isRandomValue, isShortRandomValue } from './random-looking.ts';
import { isPersonName, isPhoneDigits, isRecordNumber } from './record-segment.ts';
import { type Announcement, announcementOf, isRoute } from './secret-name.ts';

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
