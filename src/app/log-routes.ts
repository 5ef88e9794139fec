import type { MessagePageQuery } from '#src/checks/store/messages/stored-message.ts';
import type { HistoryQuery } from '#src/checks/store/scan-log.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createWalker } from '#src/service/server/history/history-routes.ts';
import type { Background } from './background.ts';
import type { LogUpkeep, OpenedLog } from './open-log.ts';
import { openPrivateHistory } from './private-history.ts';

/** Returns what routes may read of the logs. */
export function logRoutes(
  dataDir: string,
  { log, databases }: Pick<OpenedLog, 'log' | 'databases'>,
  {
    upkeep,
    nights,
    stopping,
  }: {
    readonly upkeep: LogUpkeep;
    readonly nights: Pick<Background['nights'], 'report'>;
    readonly stopping: AbortSignal;
  },
) {
  const { messages } = log;
  const stats = async () => {
    const [counts, rescored] = await Promise.all([log.stats(), nights.report()]);
    return { ...counts, retention: upkeep.retention(), ...(rescored && { rescored }) };
  };
  return {
    history: (query: HistoryQuery) => log.page(query),
    historySummary: log.summary,
    messages: (query: MessagePageQuery) => messages.page(query, 'public'),
    ...(databases ? { privateHistory: null, privateMessages: null } : openPrivateHistory(dataDir, log)),
    walk: createWalker({ walk: log.walk, stopping, clock: systemClock }),
    stats,
  };
}
