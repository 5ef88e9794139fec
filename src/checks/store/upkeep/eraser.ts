import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { Visibility } from '#src/core/base/visibility.ts';
import { removeCopies } from '../file/backup.ts';
import type { LogFile } from '../file/log-file.ts';
import { pagesIn } from '../file/page-size.ts';
import { logExtentOf } from '../ledger/extent.ts';
import type { LogWriter } from '../write/log-writer.ts';
import type { FileThread } from './file-thread.ts';
import { forget, hasLittleRoom } from './erase-steps.ts';
import { overwriteRemains } from './overwrite.ts';
import type { Removal } from './removal.ts';

/**
 * From this length on the write-ahead log is moved into the file before the next step, so that deleting, which
 * needs room itself, needs little.
 */
const WAL_PAGES = pagesIn(2 * 1024 * 1024);

/** A reader in the way of that is waited for, a while; it is in the way of everything else too. */
const STUCK_WAL_PAGES = 8 * WAL_PAGES;
const STUCK_ATTEMPTS = 100;
const STUCK_EVERY_MS = 100;

/** Decides what has to go when its turn has come; null where nothing has. */
export type Plan = (log: LogFile) => Removal | null | Promise<Removal | null>;

/** Removes checks from the logs, without a trace in any file. */
export interface Forgetter extends AsyncDisposable {
  /**
   * Removes what `plan` says, and resolves with the number of checks. What was begun by a process that was killed, or has
   * closed meanwhile, is brought to its end.
   */
  forget(visibility: Visibility, plan: Plan): Promise<number>;
}

/** To bring to its end what has deleted all that it was to delete. */
const NOTHING_MORE: Removal = { prepare: () => () => null, takes: () => false };

/** `writerOf` is not called before there is something to do. Of each log one thing is forgotten after the other. */
export function createForgetter(
  logs: Readonly<Record<Visibility, LogFile>>,
  writerOf: (visibility: Visibility) => LogWriter,
  thread: Pick<FileThread, 'run'>,
): Forgetter {
  const underWay: Record<Visibility, Promise<unknown>> = { public: Promise.resolve(), private: Promise.resolve() };
  let isClosing = false;

  async function remove(log: LogFile, removal: Removal): Promise<number> {
    const writer = writerOf(log.visibility);
    let removed = 0;
    let waits = 0;
    for (const { rows } of forget(log, removal)) {
      removed += rows;
      const walPages = walPagesOf(log);
      if (walPages > WAL_PAGES || hasLittleRoom(log)) {
        await thread.run({ kind: 'checkpoint', path: log.path });
        await writer.holdDuring(() => thread.run({ kind: 'restart', path: log.path }));
      }
      if (walPages > STUCK_WAL_PAGES) {
        if (++waits > STUCK_ATTEMPTS) throw new Error(`another process reads ${log.path} for too long`);
        await Bun.sleep(STUCK_EVERY_MS);
      }
      await nextTurn(writer);
      if (isClosing) break;
    }
    return removed;
  }

  /** What came in meanwhile goes first, and no step is tried while the file is held, which would stop the whole thread. */
  async function nextTurn(writer: LogWriter): Promise<void> {
    await new Promise(setImmediate);
    await writer.unlessHeld();
  }

  async function forgetNow(log: LogFile, plan: Plan): Promise<number> {
    const { path } = log;
    if (isClosing) return 0;
    const planned = await plan(log);
    const marker = `${path}.forgetting`;
    if (planned === null && !existsSync(marker)) return 0;
    const removal = planned ?? NOTHING_MORE;
    removeCopies(path, { finished: true });
    writeFileSync(marker, '', { mode: 0o600 });
    const writer = writerOf(log.visibility);
    await nextTurn(writer);
    const removed = await onPurpose(log, removal, () => remove(log, removal));
    try {
      const isDone = await overwriteRemains({ path, thread, hold: writer.holdDuring, isClosing: () => isClosing });
      if (isDone) {
        rmSync(marker, { force: true });
        removal.whenGone?.();
      }
      return removed;
    } catch (cause) {
      throw new Error(`The checks were removed, but traces of them may be left in ${path} until the next time`, {
        cause,
      });
    }
  }

  return {
    async forget(visibility, plan) {
      const result = underWay[visibility].then(() => forgetNow(logs[visibility], plan));
      underWay[visibility] = result.catch(() => {});
      return await result;
    },
    async [Symbol.asyncDispose]() {
      isClosing = true;
      await Promise.all([underWay.public, underWay.private]);
    },
  };
}

/** What is removed is not missing, also where this process is killed meanwhile; what stays is expected all the while. */
async function onPurpose<T>({ ledger, database }: LogFile, { takes }: Removal, remove: () => Promise<T>): Promise<T> {
  const extent = logExtentOf(database);
  if (extent.newest && !takes(extent.newest.id)) ledger?.restart({ ...extent, oldest: null });
  else ledger?.expectNothing();
  try {
    return await remove();
  } finally {
    ledger?.restart(logExtentOf(database));
  }
}

/** How long the write-ahead log is, whatever length its file has. */
function walPagesOf({ database }: LogFile): number {
  return database.query<{ log: number }, []>('pragma wal_checkpoint(noop)').get()?.log ?? 0;
}
