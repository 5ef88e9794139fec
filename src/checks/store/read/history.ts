import { oncePerRound } from '#src/core/base/timers.ts';
import { freeDiskPercent } from '../file/file-system.ts';
import type { LogFile } from '../file/log-file.ts';
import type { MessagePageQuery } from '../messages/message-log.ts';
import type { HistoryQuery, HistoryWalk, SearchFilter } from '../scan-log.ts';
import { createActivity } from './activity.ts';
import { readFile } from './find-checks.ts';
import { historyPage, historySummary, messagePage, walkLog } from './history-pages.ts';
import { mostBlocked, readFigures, statsOf } from './stats.ts';

/** Runs a query and reports its errors as faults of the file. */
type Reading = <T>(query: () => T | Promise<T>, what?: 'statistics') => Promise<T>;

/**
 * Opens the history of a log in a file. However many searches run, a check waits for at most one batch of one of them.
 */
export function openHistory(log: LogFile, reading: Reading) {
  const file = readFile(log, oncePerRound());
  const activity = createActivity(log);
  return {
    file,
    page: (query: HistoryQuery) => reading(() => historyPage(file, query)),
    messagePage: (query: MessagePageQuery) => reading(() => messagePage(file, query)),
    summary: (filter: SearchFilter) => reading(() => historySummary(file, filter)),
    walk: (query: HistoryWalk) => reading(() => walkLog(file, query)),
    activity: (nowMs: number) => reading(() => activity.read(nowMs), 'statistics'),
    stats: (dataDir: string, nowMs: number) =>
      reading(async () => {
        const figures = await file.run((db) => readFigures(db, file.tables, nowMs));
        const names = { sites: mostBlocked(log, 'site'), suffixes: mostBlocked(log, 'suffix') };
        return statsOf({ ...figures, ...names }, nowMs, freeDiskPercent(dataDir));
      }, 'statistics'),
    settle: activity.settle,
  };
}
