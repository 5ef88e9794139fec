import type { Visibility } from '#src/core/base/visibility.ts';
import { type Host, hostOf, MAX_NAME_LENGTH } from '#src/core/url/host.ts';
import type { CheckResult } from './check-result.ts';
import { maskResult, type RedactedResult } from './redact/redact-result.ts';

/** A finished check, not masked yet. */
export interface DescribedCheck {
  readonly visibility: Visibility;
  readonly result: CheckResult;
  /** Host of the canonical URL, for the filter by domain. */
  readonly host: Host;
  /** Host of the URL that decided, for the counts of blocked names; absent if that is the canonical one. */
  readonly decidingHost?: Host;
  /** Rate limiter's key for the client, stored as a keyed hash in the private log only. Null for the command line. */
  readonly client: string | null;
}

/** A check masked for its log. */
export interface CheckRecord extends DescribedCheck {
  readonly result: RedactedResult;
}

/** Masks a check for its answer and its log. Results are masked only here, and only masked ones can be logged. */
export function recordCheck(check: DescribedCheck) {
  const { answer, stored } = maskResult(check.result, check.visibility);
  const hosts = {
    host: withinDns(check.host),
    ...(check.decidingHost && { decidingHost: withinDns(check.decidingHost) }),
  };
  return { answer, record: { ...check, ...hosts, result: stored } };
}

/** Shortens a host to its end, by which it is found. */
function withinDns(host: Host): Host {
  return host.text.length > MAX_NAME_LENGTH ? hostOf(host.text.slice(-MAX_NAME_LENGTH).replace(/^\./, '')) : host;
}
