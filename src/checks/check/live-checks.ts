import type { Activity, LiveCheck, LiveMail } from '#src/checks/record/activity.ts';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { VIAS, type Via } from '#src/checks/record/decided-by.ts';
import { packReasons } from '#src/checks/record/pack/pack-reasons.ts';
import { historyItem } from '#src/checks/store/read/result-row.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { type Clock, HOUR_MS } from '#src/core/base/clock.ts';
import { createRecentSums } from '#src/core/base/recent-sums.ts';
import type { Visibility } from '#src/core/base/visibility.ts';

/** Receives each check that this node logs, and each mail; `read` makes what is shown of it, on demand. */
export type LiveListener = (event: 'check' | 'mail', visibility: Visibility, read: () => LiveCheck | LiveMail) => void;

/** Checks of this node as they are logged. */
export interface LiveChecks {
  /** Notes a logged check. */
  stored(record: CheckRecord): void;
  /** Notes a mail that a client had checked as a whole. */
  checkedMail(mail: LiveMail): void;
  /** Watches the checks from now on, until the result is disposed of. */
  watch(watcher: LiveListener): Disposable;
  /** Checks of these logs within the last 24 hours, by the way in which they came; ways without a check are left out. */
  sources(logs: readonly Visibility[]): Activity['node']['sources'];
  /** Start of these counts, in milliseconds since the Unix epoch. */
  sinceMs(): number;
}

/** Creates live checks without a watcher. Without watchers, a check costs one increment. */
export function createLiveChecks(clock: Pick<Clock, 'now'>): LiveChecks {
  const watchers = new Set<LiveListener>();
  const sums = createRecentSums<`${Visibility} ${Via}`>(clock.now, HOUR_MS, 24);
  return {
    stored(record) {
      const { via } = record.result.analysis_details;
      if (via !== null) sums.count(`${record.visibility} ${via}`);
      for (const watcher of watchers) watcher('check', record.visibility, () => liveCheck(record));
    },
    checkedMail(mail) {
      for (const watcher of watchers) watcher('mail', mail.visibility, () => mail);
    },
    watch(watcher) {
      watchers.add(watcher);
      return { [Symbol.dispose]: () => void watchers.delete(watcher) };
    },
    sources: (logs) =>
      VIAS.map((via) => ({ via, checks: logs.reduce((sum, log) => sum + sums.sumOf(`${log} ${via}`), 0) })).filter(
        ({ checks }) => checks > 0,
      ),
    sinceMs: sums.sinceMs,
  };
}

/** Returns a log that notes each check that it stores. */
export function watchedLog(
  log: Pick<ScanLog, 'append'>,
  { stored }: Pick<LiveChecks, 'stored'>,
): Pick<ScanLog, 'append'> {
  return {
    async append(record) {
      await log.append(record);
      stored(record);
    },
  };
}

/** Returns a record as its row of the history, which it is redacted for already. */
function liveCheck({ visibility, result }: CheckRecord): LiveCheck {
  const { request_id: requestId, decision, malicious_probability: probability, analysis_details: details } = result;
  const { normalized_url: url, coverage, caution, via, decided_by, model_version: modelVersion } = details;
  const row = { requestId, url, probability, decision, coverage, caution, via, modelVersion };
  const { list = null, entry = null, source: listOwner = null } = decided_by ?? {};
  return { ...historyItem({ ...row, list, entry, listOwner, reasons: packReasons(details.reasons) }), visibility };
}
