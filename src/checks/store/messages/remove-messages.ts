import { and, asc, count, inArray, lt, lte, type SQL } from 'drizzle-orm';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import { requestIdLowerBound } from '#src/core/base/request-id.ts';
import type { DeletionTarget } from '../deletions/deletion-target.ts';
import type { LogFile } from '../file/log-file.ts';
import { messages } from '../file/schema.ts';
import { withRequestIds } from '../read/check-filter.ts';
import type { RemoveSome } from '../upkeep/delete-checks.ts';
import { prepareCounters } from '../write/counters.ts';

/** Returns the condition for the messages up to an id, in log order; null if it is 0. */
export const messagesUpTo = (lastId: number): SQL | null => (lastId === 0 ? null : lte(messages.id, lastId));

/**
 * Returns the condition for the messages that began before a moment; null if a file has none. Unlike checks only their own time
 * counts, because recovered ones follow later ones in log order.
 */
export function expiredMessages({ db }: Pick<LogFile, 'db'>, beforeMs: number): SQL | null {
  const condition = lt(messages.requestId, requestIdLowerBound(beforeMs));
  // By the index, which begins with the decision.
  const due = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(inArray(messages.decision, [...DECISIONS]), condition));
  return due.limit(1).all().length === 0 ? null : condition;
}

/** Returns the condition for the messages of a deletion; null for a domain, which no message names. */
export function messagesMeant({ by, wanted }: DeletionTarget): SQL | null {
  if (by === 'domain') return null;
  return by === 'id'
    ? (withRequestIds([wanted], messages) ?? null)
    : lt(messages.requestId, requestIdLowerBound(Date.parse(wanted)));
}

/** Counts the messages of a deletion. */
export function countMessages({ db }: Pick<LogFile, 'db'>, target: DeletionTarget): number {
  const condition = messagesMeant(target);
  if (condition === null) return 0;
  return db.select({ messages: count() }).from(messages).where(condition).get()?.messages ?? 0;
}

/** Returns the removal of messages with their counts, in log order. */
export function removeMessages(log: LogFile, condition: SQL): RemoveSome {
  const { db, visibility } = log;
  const counters = visibility === 'public' ? prepareCounters(log) : null;
  const { id, requestId, decision } = messages;
  return (limit) => {
    const due = db.select({ id }).from(messages).where(condition).orderBy(asc(id)).limit(limit).all();
    if (due.length === 0) return null;
    const ids = due.map((row) => row.id);
    const gone = db.delete(messages).where(inArray(id, ids)).returning({ requestId, decision }).all();
    counters?.subtractMessages(gone);
    return gone.length;
  };
}
