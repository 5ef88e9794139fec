import { requestIdMs } from '#src/core/base/request-id.ts';
import { isOfDomain } from '../domains/find-by-domain.ts';
import { domainKey } from '../domains/host-suffixes.ts';
import type { CheckFilter } from './check-filter.ts';

/** What of a check a filter looks at, but for its decision. */
export interface FilteredRow {
  readonly requestId: string;
  /** Null where it is the one in `url`. */
  readonly host: string | null;
  readonly url: string;
}

/** Says of single checks what a filter says of many: whether it lets one through, whatever its decision. */
export function rowFilter({ domain, fromMs, untilMs }: CheckFilter): (row: FilteredRow) => boolean {
  const key = domain === null ? null : domainKey(domain);
  return (row) => {
    const atMs = requestIdMs(row.requestId);
    if (atMs < (fromMs ?? atMs) || atMs >= (untilMs ?? Number.POSITIVE_INFINITY)) return false;
    return domain === null || (key !== null && isOfDomain(row, key));
  };
}
