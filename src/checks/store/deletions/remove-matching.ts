import { eq } from 'drizzle-orm';
import { blockOf } from '../domains/block.ts';
import { unindexChecks } from '../domains/index-block.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import { messagesMeant, removeMessages } from '../messages/remove-messages.ts';
import { inTurn, prepareDelete, type Removal, type RemoveSome } from '../upkeep/delete-checks.ts';
import { type Deletion, matches, noteDeletion, targetOf } from './deletion.ts';
import type { DeletionTarget } from './deletion-target.ts';
import { findMatching } from './find-matching.ts';

/**
 * Returns the removal of the checks that a deletion matches, block by block. Each transaction also stores the count, so
 * that a killed process resumes with the right number. When all checks are removed, the recorded target is cleared.
 */
export function removalOf(log: LogFile, deletion: Deletion, now: () => number): Removal {
  const target = targetOf(deletion);
  return {
    prepare: () => prepareRemoval(log, deletion, target),
    takes: (id) => target !== null && id <= deletion.newestId && matchesAt(log, target, id),
    whenGone: () => noteDeletion(log, deletion.id, { doneAtMs: now() }),
  };
}

function prepareRemoval(
  log: LogFile,
  { id, by, newestId, removed }: Deletion,
  target: DeletionTarget | null,
): RemoveSome {
  const remove = prepareDelete(log);
  const blocks = target && findMatching(log, target, newestId);
  const messages = target && messagesMeant(target);
  let due: number[] = [];
  let total = removed;
  const removeChecks: RemoveSome = (limit) => {
    if (due.length === 0) {
      const next = blocks?.next();
      if (!next || next.done) return null;
      due = next.value;
    }
    const some = due.slice(0, limit);
    due = due.slice(limit);
    const [first] = some;
    if (first === undefined) return 0;
    remove(some);
    unindexChecks(log, blockOf(first), new Set(some));
    return some.length;
  };
  const removeSome = messages ? inTurn(removeChecks, removeMessages(log, messages)) : removeChecks;
  return (limit) => {
    const some = removeSome(limit);
    if (some === null) {
      if (by !== 'before') noteDeletion(log, id, { wanted: null });
      return null;
    }
    total += some;
    if (some > 0) noteDeletion(log, id, { removed: total });
    return some;
  };
}

function matchesAt({ db }: LogFile, target: DeletionTarget, id: number): boolean {
  const { requestId, host, url } = checks;
  const check = db.select({ requestId, host, url }).from(checks).where(eq(checks.id, id)).get();
  return check !== undefined && matches(target, check);
}
