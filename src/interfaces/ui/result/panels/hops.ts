import type { AnalysisDetails } from '#src/checks/record/check-result.ts';
import { hostIn } from '../destination.ts';

type Redirect = AnalysisDetails['redirects'][number];

/** A stop on the way from a link to its page. */
export interface WayStop {
  /** Null if the previous step names no usable address. */
  readonly url: string | null;
  /** The part of its host that says whose it is, as far as that is known; else the host. */
  readonly owner: string;
  /** Days since the registration of its domain; null if unknown. */
  readonly ageDays: number | null;
  /** The step that leads here; null for the link itself. */
  readonly by: Redirect | null;
  /** The address that answered; null if none was asked or the response did not redirect. */
  readonly address: string | null;
}

/** The way of a link. */
export interface Way {
  /** The link and every stop that the service visited, in order. */
  readonly visited: readonly WayStop[];
  /** Further targets of the last stop, not visited. */
  readonly seen: readonly WayStop[];
}

/** The way of a checked link, from what its record says. */
export function wayOf(details: AnalysisDetails): Way {
  const { redirects, normalized_url, final_url } = details;
  const followed = redirects.filter((one) => one.followed);
  const start: WayStop = { ...placeOf(normalized_url, details), by: null, address: followed[0]?.address ?? null };
  const last = followed.at(-1);
  // An answer may point to an address at which the service did not ask any more.
  const isOpen = last !== undefined && last.url === final_url && last.location !== final_url;
  const hops = followed.map((by, at): WayStop => {
    const address = followed[at + 1]?.address ?? null;
    return { ...placeOf(by.location, details), by, address };
  });
  const visited = [start, ...(isOpen ? hops.slice(0, -1) : hops)];
  const unfollowed = redirects
    .filter((one) => !one.followed)
    .map((by): WayStop => ({ ...placeOf(by.location, details), by, address: null }));
  return { visited, seen: [...(isOpen ? hops.slice(-1) : []), ...unfollowed] };
}

function placeOf(
  url: string | null,
  { host_parts: asked, whois_info, landing }: AnalysisDetails,
): Pick<WayStop, 'url' | 'owner' | 'ageDays'> {
  const host = url === null ? '' : hostIn(url);
  const ageIn = (whois: AnalysisDetails['whois_info']) => (whois.status === 'ok' ? whois.age_days : null);
  if (host === asked.ascii || host.endsWith(`.${asked.site}`) || host === asked.site)
    return { url, owner: asked.site, ageDays: ageIn(whois_info) };
  // One name above the other has the same registration.
  const isOfLanding = landing !== undefined && (isBelow(host, landing.host) || isBelow(landing.host, host));
  return { url, owner: host, ageDays: isOfLanding ? ageIn(landing.whois_info) : null };
}

function isBelow(host: string, above: string): boolean {
  return above.includes('.') && (host === above || host.endsWith(`.${above}`));
}
