import type { Visibility } from '#src/core/base/visibility.ts';
import { type Host, hostOf, MAX_NAME_LENGTH } from '#src/core/url/host.ts';
import type { CheckResult } from './check-result.ts';
import { maskResult, type RedactedResult } from './redact/redact-result.ts';

/** One finished check, nothing in it masked as yet. */
export interface DescribedCheck {
  readonly visibility: Visibility;
  readonly result: CheckResult;
  /** Of the canonical URL, for the filter by domain. */
  readonly host: Host;
  /** Of the URL that decided, for the counts of what was blocked; absent where that is the canonical one. */
  readonly decidingHost?: Host;
  /** Who asked: the limiter's key for the client. Kept as a keyed hash, in the private log alone. Null for the command line. */
  readonly client: string | null;
}

/** The same as its log may keep it, and tell of it. */
export interface CheckRecord extends DescribedCheck {
  readonly result: RedactedResult;
}

/** A check for its client and for its log. */
export interface RecordedCheck {
  readonly answer: CheckResult;
  readonly record: CheckRecord;
}

/** What is answered and what is kept of a check. This is the one place where a result is masked; no other can be logged. */
export function recordCheck(check: DescribedCheck): RecordedCheck {
  const { answer, kept } = maskResult(check.result, check.visibility);
  const hosts = {
    host: withinDns(check.host),
    ...(check.decidingHost && { decidingHost: withinDns(check.decidingHost) }),
  };
  return { answer, record: { ...check, ...hosts, result: kept } };
}

/** The end of a host, by which it is found. */
function withinDns(host: Host): Host {
  return host.text.length > MAX_NAME_LENGTH ? hostOf(host.text.slice(-MAX_NAME_LENGTH).replace(/^\./, '')) : host;
}
