import { requestIdMs } from '#src/core/base/request-id.ts';
import { isOfDomain } from '../domains/find-by-domain.ts';
import { domainKey } from '../domains/host-suffixes.ts';
import type { CheckFilter } from './check-filter.ts';

/** Columns of a check that a filter tests, except for its decision. */
export interface FilteredRow {
  readonly requestId: string;
  /** Null if it is the host of `url`. */
  readonly host: string | null;
  readonly url: string;
}

/** Creates a test of single checks for a filter, except for its decision. */
export function rowFilter({ domain, fromMs, untilMs }: CheckFilter): (row: FilteredRow) => boolean {
  const key = domain === null ? null : domainKey(domain);
  return (row) => {
    const atMs = requestIdMs(row.requestId);
    if (atMs < (fromMs ?? atMs) || atMs >= (untilMs ?? Number.POSITIVE_INFINITY)) return false;
    return domain === null || (key !== null && isOfDomain(row, key));
  };
}
