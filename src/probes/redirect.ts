import { FailureError } from '#src/base/failure.ts';
import { type Hop, redirectLocation } from '#src/egress/http/hop.ts';
import type { PageDocument } from '#src/html/document.ts';
import { parseRefresh } from '#src/html/refresh.ts';
import { readUrl } from '#src/url/read-url.ts';
import { isTargetProblem, MAX_URL_LENGTH, parseTarget, type Target } from '#src/url/target.ts';

/** A visitor who is told "you will be redirected" waits about this long; what comes later is for a page left open. */
const LONGEST_REFRESH_SECONDS = 20;

/** Ways in which a page may spell its own address before it names another; each costs as much as a URL that is checked. */
const MAX_OWN_SPELLINGS = 8;

/** Where an answer's status and `Location` send the visitor; a failure where that is no web address, null where nowhere. */
export function nextAddress(from: Target, hop: Hop): Target | FailureError | null {
  const location = redirectLocation(hop);
  return location === null ? null : resolve(from, fromLatin1(location));
}

/** Where a page sends the visitor by itself, by its `Refresh` header or a `meta` element; null where it stays. */
export function nextRefresh(
  from: Target,
  { headers }: Pick<Hop, 'headers'>,
  document: PageDocument | null,
): Target | FailureError | null {
  const header = parseRefresh(fromLatin1(headers.get('refresh') ?? ''));
  const orders = [
    ...(header ? [{ delaySeconds: header.delaySeconds, url: header.target }] : []),
    ...(document?.refreshes ?? []),
  ];
  const places = new Set<string>();
  for (const { delaySeconds, url } of orders) {
    if (url === null || url === '' || delaySeconds === null || delaySeconds > LONGEST_REFRESH_SECONDS) continue;
    const place = url.split('#', 1)[0] ?? '';
    if (places.has(place)) continue;
    if (places.size === MAX_OWN_SPELLINGS)
      return new FailureError('redirect_invalid', 'the page names itself too often');
    places.add(place);
    const next = resolve(from, url);
    // A page that loads itself again leads nowhere.
    if (next instanceof FailureError || next.requestUrl !== from.requestUrl) return next;
  }
  return null;
}

/** Of a longer one the parser would make a URL for milliseconds that is too long to be judged. */
const MAX_REFERENCE_LENGTH = 2 * MAX_URL_LENGTH;

function resolve(from: Target, reference: string): Target | FailureError {
  if (reference.length > MAX_REFERENCE_LENGTH) return new FailureError('redirect_invalid', 'the redirect is too long');
  const absolute = readUrl(reference, from.requestUrl);
  if (!absolute) return new FailureError('redirect_invalid', 'the redirect is not a URL');
  const target = parseTarget(absolute.href);
  return isTargetProblem(target) ? new FailureError('redirect_invalid', `the redirect ${target.message}`) : target;
}

/** Header values come as Latin-1, and browsers read those of addresses as UTF-8 where they are. */
function fromLatin1(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
