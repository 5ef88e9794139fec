import { lte, type SQL } from 'drizzle-orm';
import { requestIdMs, requestIdText } from '#src/core/base/request-id.ts';
import { unindexBlocks, unindexOldest } from '../domains/index-block.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import { removeMessages } from '../messages/remove-messages.ts';
import { prepareNamed } from '../statements/prepare-named.ts';
import { inTurn, prepareDelete, type Removal, type RemoveSome } from './delete-checks.ts';

/** Rows per read, so that new checks wait only milliseconds. */
const ROWS_PER_READ = 200;

/**
 * Returns the id of the last check to remove because it began before `beforeMs`; 0 for none. A check that began between
 * the two moments stays, and so does all that was logged after it. A check with an earlier date that was logged later
 * comes from a clock that jumped back; one after `nowMs` from a clock that jumped ahead, and is removed with the next
 * that is due.
 */
export async function lastExpired({ database }: LogFile, beforeMs: number, nowMs: number): Promise<number> {
  const read = prepareNamed(database, 'checksAfter');
  let lastId = 0;
  for (let after = 0; ; ) {
    const rows = read.all({ id: after, limit: ROWS_PER_READ });
    for (const { id, request_id } of rows) {
      const atMs = requestIdMs(requestIdText(request_id));
      if (atMs >= beforeMs && atMs <= nowMs) return lastId;
      if (atMs < beforeMs) lastId = id;
      after = id;
    }
    if (rows.length < ROWS_PER_READ) return lastId;
    await new Promise(setImmediate);
  }
}

/** Returns the removal of the checks up to `lastId`, in log order, and then of messages; null for none. */
export function removalUpTo(lastId: number, messages: SQL | null = null): Removal {
  return {
    prepare: (log) => {
      const removeChecks = prepareRemoval(log, lastId);
      return messages ? inTurn(removeChecks, removeMessages(log, messages)) : removeChecks;
    },
    takes: (id) => id <= lastId,
  };
}

function prepareRemoval(log: LogFile, lastId: number): RemoveSome {
  const remove = prepareDelete(log);
  return (limit) => {
    const due = log.db
      .select({ id: checks.id })
      .from(checks)
      .where(lte(checks.id, lastId))
      .orderBy(checks.id)
      .limit(limit)
      .all();
    const ids = due.map(({ id }) => id);
    if (ids.length === 0) {
      unindexOldest(log);
      return null;
    }
    remove(ids);
    unindexBlocks(log, ids.at(-1) ?? lastId);
    return ids.length;
  };
}
