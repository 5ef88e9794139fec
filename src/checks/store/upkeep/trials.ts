import type { Visibility } from '#src/core/base/visibility.ts';
import { failureOf } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import type { LogState } from '../write/log-state.ts';
import type { FileThread } from './file-thread.ts';

/** Maximum wait for a trial; after it, the last known state is reported. */
const PATIENCE_MS = 2000;

/** A disk that takes longer than this for one page counts as failed. */
const STUCK_MS = 10_000;

/** Trial writes to logs whose state is unknown. */
export interface Trials {
  /** Tries logs in doubt, in another thread, and updates their states. */
  run(): Promise<void>;
}

/** Creates trials, at most one per log at a time. `stateOf` is called only when a trial runs. */
export function createTrials(
  logs: Readonly<Record<Visibility, LogFile>>,
  stateOf: (visibility: Visibility) => LogState,
  thread: Pick<FileThread, 'run'>,
): Trials {
  const inProgress = new Map<Visibility, Promise<void>>();

  async function attempt(visibility: Visibility): Promise<void> {
    const state = stateOf(visibility);
    const stuck = setTimeout(() => state.failed(failureOf('the disk does not answer', 'ETIMEDOUT')), STUCK_MS).unref();
    const { problem, code } = await thread.run({ kind: 'trial', path: logs[visibility].path });
    clearTimeout(stuck);
    inProgress.delete(visibility);
    if (problem === null) state.worked();
    // This process may hold the log itself, for a purge: busy says nothing.
    else if (code !== null && !code.startsWith('SQLITE_BUSY')) state.failed(failureOf(problem, code));
  }

  function tried(visibility: Visibility): Promise<void> {
    const state = stateOf(visibility);
    if (state.obstacle() !== null || !state.isDoubtful()) return Promise.resolve();
    const trial = inProgress.get(visibility) ?? attempt(visibility);
    inProgress.set(visibility, trial);
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
