import type { HistorySummary } from '#src/checks/record/history-page.ts';
import { unpackReasons } from '#src/checks/record/pack/pack-reasons.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import type { SearchFilter } from '../scan-log.ts';
import type { SummaryRow } from './history-item.ts';

/** Maximum number of checks per search, so that its cost does not grow with the log. They take 20 to 45 ms. */
export const MAX_SEARCHED = 5000;

/** Checks per batch. */
const SEARCH_BATCH = 1000;

/** Columns of a check that a search tests. */
export type SearchableCheck = Omit<SummaryRow, 'probability'>;

/** Tests the members of a filter that no index covers. */
export type CheckTest = (check: SearchableCheck) => boolean;

/**
 * Reads the next checks that match the indexed members, after the one with this id, newest first; fewer than `limit` at
 * the end.
 */
export type NextChecks = (afterId: string | null, limit: number) => Promise<readonly SearchableCheck[]>;

/** Result of a search, newest first. */
export interface Searched {
  readonly requestIds: readonly string[];
  /** The check after which there may be more; null if there are none. */
  readonly continuesAfter: string | null;
  /** True if the search stopped at its limit. */
  readonly isBounded: boolean;
}

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

/** Returns the `limit` newest matching checks after `afterId`, within the limit of one search. */
export async function searchChecks(
  next: NextChecks,
  { isMeant, afterId, limit }: { readonly isMeant: CheckTest; readonly afterId: string | null; readonly limit: number },
): Promise<Searched> {
  const found: string[] = [];
  let searchedTo = afterId;
  for await (const check of newestChecks(next, afterId)) {
    if (check === BOUND) return { requestIds: found, continuesAfter: searchedTo, isBounded: true };
    if (isMeant(check)) {
      if (found.length === limit) return { requestIds: found, continuesAfter: found.at(-1) ?? null, isBounded: false };
      found.push(check.requestId);
    }
    searchedTo = check.requestId;
  }
  return { requestIds: found, continuesAfter: null, isBounded: false };
}

/** Counts the latest checks, or those that match. */
export async function summarizeChecks(next: NextChecks, isMeant: CheckTest | null): Promise<HistorySummary> {
  const checks = { allow: 0, warn: 0, block: 0 };
  const days = new Map<number, { allow: number; warn: number; block: number }>();
  let first: string | null = null;
  let last: string | null = null;
  let searchedTo: string | null = null;
  let isBounded = false;
  for await (const check of newestChecks(next, null)) {
    if (check === BOUND) {
      isBounded = true;
      break;
    }
    searchedTo = check.requestId;
    if (isMeant && !isMeant(check)) continue;
    last ??= check.requestId;
    first = check.requestId;
    checks[check.decision]++;
    const day = Math.floor(requestIdMs(check.requestId) / DAY_MS) * DAY_MS;
    days.getOrInsertComputed(day, () => ({ allow: 0, warn: 0, block: 0 }))[check.decision]++;
  }
  return {
    checks,
    first_at: momentOf(first),
    last_at: momentOf(last),
    days: [...days].reverse().map(([startMs, counts]) => ({ start: new Date(startMs).toISOString(), ...counts })),
    counted_back_to: isBounded ? momentOf(searchedTo) : null,
  };
}

/** Returns the start of a check, by its id. */
export function momentOf(requestId: string): string;
export function momentOf(requestId: string | null): string | null;
export function momentOf(requestId: string | null): string | null {
  return requestId === null ? null : new Date(requestIdMs(requestId)).toISOString();
}

/** Marks the limit of a search. */
const BOUND = Symbol('bound');

async function* newestChecks(next: NextChecks, afterId: string | null): AsyncGenerator<SearchableCheck | typeof BOUND> {
  let last = afterId;
  for (let looked = 0; looked < MAX_SEARCHED; looked += SEARCH_BATCH) {
    const checks = await next(last, SEARCH_BATCH);
    yield* checks;
    if (checks.length < SEARCH_BATCH) return;
    last = checks.at(-1)?.requestId ?? last;
  }
  yield BOUND;
}
