import { unpackReasons } from '#src/checks/record/pack/pack-reasons.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import { isOfDomain } from '../domains/find-by-domain.ts';
import { domainKey } from '../domains/host-suffixes.ts';
import type { SearchFilter } from '../scan-log.ts';
import type { StoredCheck } from '../write/stored-check.ts';
import type { CheckFilter } from './check-filter.ts';
import type { SummaryRow } from './result-row.ts';

/** Columns of a check that a search tests. */
type SearchableCheck = Omit<SummaryRow, 'probability'>;

/** Tests the members of a filter that no index covers. */
export type CheckTest = (check: SearchableCheck) => boolean;

/** Returns the test for the members of a filter that no index has; null if it has none of them. */
export function searchTest({
  text,
  coverage = null,
  caution = null,
  modelVersion = null,
  via = null,
  list = null,
  entry = null,
  reason = null,
}: SearchFilter): CheckTest | null {
  const key = textKey(text);
  if ([key, coverage, caution, modelVersion, via, list, entry, reason].every((one) => one === null)) return null;
  return (check) =>
    (key === null || isInHostOrPath(check.url, key)) &&
    (coverage ?? check.coverage) === check.coverage &&
    (caution ?? check.caution) === check.caution &&
    (modelVersion ?? check.modelVersion) === check.modelVersion &&
    (via ?? check.via) === check.via &&
    (list ?? check.list) === check.list &&
    (entry ?? check.entry) === check.entry &&
    (reason === null || (check.reasons !== null && hasReason(check.reasons, reason)));
}

/** Returns true if a code is among packed reasons. */
function hasReason(reasons: Uint8Array, code: string): boolean {
  return unpackReasons(reasons).some((reason) => reason.code === code);
}

/** Normalizes a search text: lower case, without a scheme; null for nothing. */
export function textKey(text: string | null = null): string | null {
  const key = (text ?? '')
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '');
  return key === '' ? null : key;
}

/** Returns true if a text from {@link textKey} occurs in the host or path of a URL. */
export function isInHostOrPath(url: string, key: string): boolean {
  const [, hostAndPath = ''] = /^[a-z]+:\/\/([^?#]*)/i.exec(url) ?? [];
  return hostAndPath.toLowerCase().includes(key);
}

/** Returns the start of a check, by its id. */
export function momentOf(requestId: string): string;
export function momentOf(requestId: string | null): string | null;
export function momentOf(requestId: string | null): string | null {
  return requestId === null ? null : new Date(requestIdMs(requestId)).toISOString();
}

/** Columns of a check that a filter tests, except for its decision. */
export type FilteredRow = Pick<StoredCheck, 'requestId' | 'host' | 'url'>;

/** Creates a test of single checks for a filter, except for its decision. */
export function rowFilter({ domain, fromMs, untilMs }: CheckFilter): (row: FilteredRow) => boolean {
  const key = domain === null ? null : domainKey(domain);
  return (row) => {
    const atMs = requestIdMs(row.requestId);
    if (atMs < (fromMs ?? atMs) || atMs >= (untilMs ?? Number.POSITIVE_INFINITY)) return false;
    return domain === null || (key !== null && isOfDomain(row, key));
  };
}
