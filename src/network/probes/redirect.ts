import { FailureError } from '#src/core/base/failure.ts';
import { type Hop, redirectLocation } from '#src/network/egress/http/hop.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { parseRefresh } from '#src/network/html/refresh.ts';
import { readUrl } from '#src/core/url/read-url.ts';
import { isTargetProblem, MAX_URL_LENGTH, parseTarget, type Target } from '#src/core/url/target.ts';

/** Chromium ignores longer delays: its limit is the largest `int` in milliseconds (`HttpRefreshScheduler::Schedule`). */
const LONGEST_REFRESH_SECONDS = 2_147_483;

/** Addresses, its own included, that the refreshes of a page may name; each costs as much as a URL that is checked. */
const MAX_PLACES = 8;

/** Where an answer's status and `Location` send the visitor; a failure where that is no web address, null where nowhere. */
export function nextAddress(from: Target, hop: Hop): Target | FailureError | null {
  const location = redirectLocation(hop);
  return location === null ? null : resolve(from, fromLatin1(location));
}

/**
 * Returns where a page sends the visitor by its `Refresh` header and `meta` elements, whatever the delay: the shortest
 * delay first, and of equal ones the last, which is the one that Chromium follows. Empty if the page stays.
 */
export function nextRefreshes(
  from: Target,
  { headers }: Pick<Hop, 'headers'>,
  document: PageDocument | null,
): (Target | FailureError)[] {
  // CSP `sandbox` holds for the page alone: Chromium follows the header all the same.
  const header = parseRefresh(fromLatin1(headers.get('refresh') ?? ''));
  const orders = [
    ...(header ? [{ delaySeconds: header.delaySeconds, url: header.target }] : []),
    ...(document?.refreshes ?? []).filter(({ followed = true }) => followed === true),
  ]
    .filter(isHonoured)
    .toReversed()
    .toSorted((a, b) => a.delaySeconds - b.delaySeconds);
  const found: (Target | FailureError)[] = [];
  const places = new Set<string>();
  for (const { url } of orders) {
    const place = url.split('#', 1)[0] ?? '';
    if (places.has(place)) continue;
    if (places.size === MAX_PLACES) {
      // What was found before is where a browser goes first.
      return found.length > 0 ? found : [new FailureError('redirect_invalid', 'the page names itself too often')];
    }
    places.add(place);
    const next = resolve(from, url);
    // A page that loads itself again leads nowhere.
    if (next instanceof FailureError || next.requestUrl !== from.requestUrl) found.push(next);
  }
  return found;
}

interface Refresh {
  readonly delaySeconds: number;
  readonly url: string;
}

function isHonoured(order: { readonly delaySeconds: number | null; readonly url: string | null }): order is Refresh {
  const { delaySeconds, url } = order;
  return url !== null && url !== '' && delaySeconds !== null && delaySeconds <= LONGEST_REFRESH_SECONDS;
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
