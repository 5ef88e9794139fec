import type { CheckRecord } from '#src/checks/record/check-record.ts';
import type { CheckFilter } from '#src/checks/store/read/check-filter.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { Clock } from '#src/core/base/clock.ts';
import { sampleRecord } from '#test/support/sample-record.ts';

/** An empty log, and one over the same checks that may read the private ones too. */
export interface LogUnderTest extends AsyncDisposable {
  readonly log: ScanLog;
  readonly reader: ScanLog;
}

/** Opens an empty log; the clock is that of its statistics. */
export type OpenLogUnderTest = (clock?: Clock) => Promise<LogUnderTest>;

/** When the first of them began. */
export const START_MS = Date.UTC(2026, 0, 1);
/** Every decision. */
export const DECISIONS = ['allow', 'warn', 'block'] as const;
const HOSTS = [
  'example.com',
  'www.example.com',
  'a.b.example.com',
  'notexample.com',
  'other.net',
  '192.0.2.7',
  '[2001:db8::1]',
];

/** What a log may be asked for. */
export const FILTERS: readonly Partial<CheckFilter>[] = [
  {},
  { decision: 'block' },
  { domain: 'example.com' },
  { domain: 'com', decision: 'warn' },
  { domain: '192.0.2.7' },
  { domain: '[2001:db8::1]' },
  { fromMs: START_MS + 10_000, untilMs: START_MS + 20_000 },
  { domain: 'net', fromMs: START_MS + 10_000, decision: 'allow' },
  { domain: 'absent.example' },
];

/** Many at the same millisecond, and times that run backwards. */
export function recordAt(i: number): CheckRecord {
  return sampleRecord({
    url: `https://${HOSTS[i % HOSTS.length]}/${i}`,
    atMs: START_MS + ((i * 37) % 50) * 1000,
    result: { decision: DECISIONS[(i * i) % 3] ?? 'allow' },
  });
}

/** Appends all at once. */
export async function appendAll(log: ScanLog, records: readonly CheckRecord[]): Promise<void> {
  await Promise.all(records.map((record) => log.append(record)));
}

/** The ids of checks, in their order. */
export const idsOf = (records: readonly CheckRecord[]) => records.map(({ result }) => result.request_id);

/** Whether a filter lets a check through. */
export function matches({ host, result }: Pick<CheckRecord, 'host' | 'result'>, filter: CheckFilter): boolean {
  const atMs = Date.parse(result.timestamp);
  return (
    (filter.decision === null || result.decision === filter.decision) &&
    (filter.fromMs === null || atMs >= filter.fromMs) &&
    (filter.untilMs === null || atMs < filter.untilMs) &&
    (filter.domain === null ||
      host.text === filter.domain.replace(/[[\]]/g, '') ||
      host.text.endsWith(`.${filter.domain}`))
  );
}
