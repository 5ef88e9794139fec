import { eq } from 'drizzle-orm';
import { blockOf } from '../domains/block.ts';
import { forgetChecks } from '../domains/index-block.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import { prepareDelete } from '../upkeep/delete-checks.ts';
import type { Removal, RemoveSome } from '../upkeep/removal.ts';
import type { Deletable } from './deletion-target.ts';
import { type Deletion, deletableOf, isMeant, noteDeletion } from './deletion.ts';
import { findMeant } from './find-matching.ts';

/**
 * The checks that a deletion means, to be removed block by block. How many have gone is noted in the transaction that
 * deletes them: one that is killed goes on where it was, and its number is right. When all have gone, so does the word for
 * what was meant.
 */
export function removalOf(log: LogFile, deletion: Deletion, now: () => number): Removal {
  const meant = deletableOf(deletion);
  return {
    prepare: () => prepareRemoval(log, deletion, meant),
    takes: (id) => meant !== null && id <= deletion.newestId && isMeantAt(log, meant, id),
    whenGone: () => noteDeletion(log, deletion.id, { doneAtMs: now() }),
  };
}

function prepareRemoval(log: LogFile, { id, by, newestId, removed }: Deletion, meant: Deletable | null): RemoveSome {
  const remove = prepareDelete(log);
  const blocks = meant && findMeant(log, meant, newestId);
  let due: number[] = [];
  let total = removed;
  return (limit) => {
    if (due.length === 0) {
      const next = blocks?.next();
      if (!next || next.done) {
        if (by !== 'before') noteDeletion(log, id, { wanted: null });
        return null;
      }
      due = next.value;
    }
    const some = due.slice(0, limit);
    due = due.slice(limit);
    const [first] = some;
    if (first === undefined) return 0;
    remove(some);
    forgetChecks(log, blockOf(first), new Set(some));
    total += some.length;
    noteDeletion(log, id, { removed: total });
    return some.length;
  };
}

function isMeantAt({ db }: LogFile, meant: Deletable, id: number): boolean {
  const { requestId, host, url } = checks;
  const check = db.select({ requestId, host, url }).from(checks).where(eq(checks.id, id)).get();
  return check !== undefined && isMeant(meant, check);
}
