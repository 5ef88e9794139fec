import { DAY_MS } from '#src/core/base/clock.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';
import type { HistorySummary } from '#src/checks/record/history-summary.ts';
import type { SearchFilter } from '../scan-log.ts';
import type { SummaryRow } from './history-item.ts';

/** Checks that one search looks at, at most: what it costs must not grow with the log. They take 20 to 45 ms. */
export const MAX_LOOKED_AT = 5000;

/** Checks that are looked at in one go. */
const A_LOOK = 1000;

/** What a search sees of a check. */
export type SeenCheck = Omit<SummaryRow, 'probability'>;

/** Says whether a check matches the members of a filter that no index has. */
export type IsMeant = (check: SeenCheck) => boolean;

/** The next checks that match what an index has, behind the one with this id, newest first; fewer than `limit` at the end. */
export type NextChecks = (afterId: string | null, limit: number) => Promise<readonly SeenCheck[]>;

/** What a search found, newest first. */
export interface Searched {
  readonly requestIds: readonly string[];
  /** The check behind which there may be more; null where there are none. */
  readonly goesOnAfter: string | null;
  /** Whether it ended for having looked at as many as it may. */
  readonly isBounded: boolean;
}

/** Returns the test for the members of a filter that no index has; null if it has none of them. */
export function searchTest({
  text,
  coverage = null,
  caution = null,
  modelVersion = null,
}: SearchFilter): IsMeant | null {
  const key = textKey(text);
  if (key === null && coverage === null && caution === null && modelVersion === null) return null;
  return (check) =>
    (key === null || isInHostOrPath(check.url, key)) &&
    (coverage ?? check.coverage) === check.coverage &&
    (caution ?? check.caution) === check.caution &&
    (modelVersion ?? check.modelVersion) === check.modelVersion;
}

/** What is looked for, in the form in which it is compared: lower case, without a scheme; null for nothing. */
export function textKey(text: string | null = null): string | null {
  const key = (text ?? '')
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '');
  return key === '' ? null : key;
}

/** Whether a text that {@link textKey} made stands in the host or the path of a URL. */
export function isInHostOrPath(url: string, key: string): boolean {
  const [, hostAndPath = ''] = /^[a-z]+:\/\/([^?#]*)/i.exec(url) ?? [];
  return hostAndPath.toLowerCase().includes(key);
}

/** The `limit` newest checks behind `afterId` that a filter means, among as many as one search may look at. */
export async function searchChecks(
  next: NextChecks,
  { isMeant, afterId, limit }: { readonly isMeant: IsMeant; readonly afterId: string | null; readonly limit: number },
): Promise<Searched> {
  const found: string[] = [];
  let lookedTo = afterId;
  for await (const check of newestChecks(next, afterId)) {
    if (check === BOUND) return { requestIds: found, goesOnAfter: lookedTo, isBounded: true };
    if (isMeant(check)) {
      if (found.length === limit) return { requestIds: found, goesOnAfter: found.at(-1) ?? null, isBounded: false };
      found.push(check.requestId);
    }
    lookedTo = check.requestId;
  }
  return { requestIds: found, goesOnAfter: null, isBounded: false };
}

/** Counts the newest checks, only those that a filter means if there is one. */
export async function summarizeChecks(next: NextChecks, isMeant: IsMeant | null): Promise<HistorySummary> {
  const checks = { allow: 0, warn: 0, block: 0 };
  const days = new Map<number, { allow: number; warn: number; block: number }>();
  let first: string | null = null;
  let last: string | null = null;
  let lookedTo: string | null = null;
  let isBounded = false;
  for await (const check of newestChecks(next, null)) {
    if (check === BOUND) {
      isBounded = true;
      break;
    }
    lookedTo = check.requestId;
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
    counted_back_to: isBounded ? momentOf(lookedTo) : null,
  };
}

/** When a check began, by its id. */
export function momentOf(requestId: string): string;
export function momentOf(requestId: string | null): string | null;
export function momentOf(requestId: string | null): string | null {
  return requestId === null ? null : new Date(requestIdMs(requestId)).toISOString();
}

/** Stands where there may be more checks than are looked at. */
const BOUND = Symbol('bound');

async function* newestChecks(next: NextChecks, afterId: string | null): AsyncGenerator<SeenCheck | typeof BOUND> {
  let last = afterId;
  for (let looked = 0; looked < MAX_LOOKED_AT; looked += A_LOOK) {
    const checks = await next(last, A_LOOK);
    yield* checks;
    if (checks.length < A_LOOK) return;
    last = checks.at(-1)?.requestId ?? last;
  }
  yield BOUND;
}
