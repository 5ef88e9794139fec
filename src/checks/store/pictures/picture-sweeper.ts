import type { Logger } from '#src/core/base/logger.ts';
import { oncePerRound } from '#src/core/base/timers.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { keepFileThread } from '../upkeep/file-thread.ts';
import type { PictureFile } from './picture-file.ts';

/** See {@link PictureFile.removeOldest}. */
interface SweepBounds {
  readonly bytes: number;
  readonly beforeMs: number;
}

/** Dependencies of {@link createPictureSweeper}. */
interface PictureSweeping {
  /** Returns null if a log has no pictures. */
  fileOf(visibility: Visibility): PictureFile | null;
  /** Returns the bounds that hold for a sweep. */
  boundsOf(file: PictureFile): SweepBounds;
  readonly thread: Pick<ReturnType<typeof keepFileThread>, 'run'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Removes pictures one by one, each in its own round of the event loop. Its end completes those of deleted checks. */
export interface PictureSweeper extends AsyncDisposable {
  /** Removes the pictures of these checks and those beyond the bounds, later. Never rejects. */
  sweep(visibility: Visibility, requestIds: readonly string[]): Promise<void>;
}

/** Pictures that are removed before the write-ahead log is moved into the file. */
const REMOVED_TOGETHER = 20;

/** Creates a sweeper, which has one log swept after the other. */
export function createPictureSweeper({ fileOf, boundsOf, thread, logger }: PictureSweeping): PictureSweeper {
  const leaving = { public: new Set<string>(), private: new Set<string>() };
  const waiting = new Map<Visibility, Promise<void>>();
  const nextStep = oncePerRound();
  let last = Promise.resolve();
  let isClosing = false;

  /** Returns false if nothing is left to do. */
  function removeOne(ids: Set<string>, file: PictureFile, bounds: SweepBounds): boolean {
    const [id] = ids;
    if (id === undefined) return !isClosing && file.removeOldest(bounds.bytes, bounds.beforeMs);
    ids.delete(id);
    file.remove(id);
    return true;
  }

  async function sweepNow(visibility: Visibility): Promise<void> {
    const file = fileOf(visibility);
    if (file === null) return leaving[visibility].clear();
    const bounds = boundsOf(file);
    let steps = 0;
    for (; removeOne(leaving[visibility], file, bounds); await nextStep()) {
      if (++steps % REMOVED_TOGETHER === 0) await thread.run({ kind: 'checkpoint', path: file.path });
    }
    if (steps === 0) return;
    while (file.shorten()) await nextStep();
    // No deleted picture stays in the write-ahead log.
    const { problem } = await thread.run({ kind: 'truncate', path: file.path });
    if (problem !== null) logger.warn('screenshot.failed', { problem });
  }

  return {
    sweep(visibility, requestIds) {
      for (const id of requestIds) leaving[visibility].add(id);
      const known = waiting.get(visibility);
      if (known !== undefined) return known;
      last = last.then(nextStep).then(async () => {
        waiting.delete(visibility);
        await sweepNow(visibility).catch((error) => logger.warn('screenshot.failed', { error }));
      });
      waiting.set(visibility, last);
      return last;
    },
    async [Symbol.asyncDispose]() {
      isClosing = true;
      await last;
    },
  };
}
