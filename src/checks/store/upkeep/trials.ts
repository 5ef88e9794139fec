import type { Visibility } from '#src/core/base/visibility.ts';
import { failureOf } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import type { LogState } from '../write/log-state.ts';
import type { FileThread } from './file-thread.ts';

/** Whoever asks does not wait longer for the disk, and is told what was known before. */
const PATIENCE_MS = 2000;

/** A disk that takes longer than this for one page is as good as none. */
const STUCK_MS = 10_000;

/** Attempts to write to logs of which it is not known whether they can be written. */
export interface Trials {
  /** Tries what is doubtful, in another thread, and tells the states. */
  run(): Promise<void>;
}

/** `stateOf` is asked only when a trial runs. At most one trial a log is under way. */
export function createTrials(
  logs: Readonly<Record<Visibility, LogFile>>,
  stateOf: (visibility: Visibility) => LogState,
  thread: Pick<FileThread, 'run'>,
): Trials {
  const underWay = new Map<Visibility, Promise<void>>();

  async function attempt(visibility: Visibility): Promise<void> {
    const state = stateOf(visibility);
    const stuck = setTimeout(() => state.failed(failureOf('the disk does not answer', 'ETIMEDOUT')), STUCK_MS).unref();
    const { problem, code } = await thread.run({ kind: 'trial', path: logs[visibility].path });
    clearTimeout(stuck);
    underWay.delete(visibility);
    if (problem === null) state.worked();
    // Who holds the log may be ourselves, for a purge: that says nothing.
    else if (code !== null && !code.startsWith('SQLITE_BUSY')) state.failed(failureOf(problem, code));
  }

  function tried(visibility: Visibility): Promise<void> {
    const state = stateOf(visibility);
    if (state.obstacle() !== null || !state.isDoubtful()) return Promise.resolve();
    const trial = underWay.get(visibility) ?? attempt(visibility);
    underWay.set(visibility, trial);
    return trial;
  }

  return {
    async run() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, PATIENCE_MS);
      await Promise.race([Promise.all([tried('public'), tried('private')]), late]);
      clearTimeout(timer);
    },
  };
}
