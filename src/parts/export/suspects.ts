import { inDisplayOrder } from '#src/checks/record/reasons/caution.ts';
import { MASK } from '#src/checks/record/redact/mask.ts';
import { isUnreadable } from '#src/checks/record/stored-result.ts';
import type { LogEntry } from '#src/checks/store/scan-log.ts';
import { type Host, parseHost } from '#src/core/url/host.ts';
import { exportId } from './export-id.ts';

/** Number of remembered texts. A repetition after so many others is harmless; remembering all of a large log is not. */
const REMEMBERED = 100_000;

/** Creates a filter that returns true for a text not seen recently. It keeps two generations and drops the older one. */
export function createRecentFilter(): (text: string) => boolean {
  let young = new Set<string>();
  let old = new Set<string>();
  return (text) => {
    const isKnown = young.has(text) || old.has(text);
    if (young.size >= REMEMBERED / 2) [young, old] = [new Set(), young];
    young.add(text);
    return !isKnown;
  };
}

/** A URL that was warned of or blocked, as programs share such among each other. */
export interface Suspect {
  readonly requestId: string;
  /** Start of the check, in ISO 8601, UTC. */
  readonly timestamp: string;
  /** The URL as RFC 3986 spells it, which encodes more characters than browsers do. */
  readonly url: string;
  /** True if a part of it is `***`. */
  readonly isMasked: boolean;
  /** Null if the URL has no valid host. */
  readonly host: Host | null;
  /** True if it is the front page of its host, so that the host itself is suspected. */
  readonly isFrontPage: boolean;
  readonly decision: 'warn' | 'block';
  readonly probability: number;
  /** The strongest reason for phishing as a sentence; null if there is none. */
  readonly reason: string | null;
}

/**
 * Yields the URLs that were warned about or blocked, newest first, each by its newest check. Allowed URLs are left out:
 * they indicate nothing, and browsing habits are private.
 */
export async function* suspectsAmong(entries: AsyncIterable<LogEntry>): AsyncGenerator<Suspect> {
  const isNew = createRecentFilter();
  for await (const entry of entries) {
    const suspect = suspectOf(entry);
    if (suspect && isNew(exportId('url', suspect.url))) yield suspect;
  }
}

function suspectOf({ result }: LogEntry): Suspect | null {
  const { decision, request_id: requestId, timestamp, malicious_probability: probability } = result;
  if (decision === 'allow') return null;
  const details = isUnreadable(result) ? null : result.analysis_details;
  const url = asUri(details?.normalized_url ?? result.url);
  const reason = inDisplayOrder(details?.reasons ?? []).find(({ weight }) => weight > 0)?.message ?? null;
  const { host = '', rest = '' } =
    /^https?:\/\/(?:[^/?@]*@)?(?<host>\[[^\]]*\]|[^/?:]*)(?<rest>.*)$/.exec(url)?.groups ?? {};
  return {
    requestId,
    timestamp,
    url,
    isMasked: url.includes(MASK),
    host: parseHost(host),
    isFrontPage: rest === '' || rest === '/',
    decision,
    probability,
    reason,
  };
}

/** Characters after the host that browsers leave bare and RFC 3986 does not; a bare `%` as well. */
const NOT_IN_A_URI = /[^\w\-.~:/?#@!$&'()*+,;=%]|%(?![\da-f]{2})/gi;

function asUri(url: string): string {
  const [, origin = '', rest = url] = /^(https?:\/\/[^/?]*)(.*)$/s.exec(url) ?? [];
  return origin + rest.toWellFormed().replace(NOT_IN_A_URI, encodeURIComponent);
}
