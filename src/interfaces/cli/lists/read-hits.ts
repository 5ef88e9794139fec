import { openLog } from '#src/app/open-log.ts';
import type { HitsByList } from '#src/checks/store/read/list-hits.ts';
import { HIT_DAYS } from '#src/checks/store/read/recent-list-hits.ts';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import type { Io } from '#src/core/base/io.ts';
import { diagnosticsOf } from '../diagnostics.ts';
import { hasHistory } from '../log/has-history.ts';
import type { ListsInvocation } from './lists-invocation.ts';

/** Counts the checks of the last days that lists decided, if that is asked for; null if not, or if there is no log. */
export async function readHits(invocation: ListsInvocation, io: Io): Promise<HitsByList | null> {
  const isAsked = invocation.flag('hits') || invocation.text('sort') === 'hits';
  if (!isAsked || !hasHistory(invocation.config, 'public')) return null;
  await using logs = await openLog(invocation.config, 'read', diagnosticsOf(invocation, io.stderr));
  return await logs.log.listHits(systemClock.now() - HIT_DAYS * DAY_MS);
}
