import { statSync } from 'node:fs';
import { repeated } from '../timers.ts';

const POLL_INTERVAL_MS = 1000;

/** Retry interval of an unusable file, in milliseconds; the cause may be in another file. */
const RETRY_INTERVAL_MS = 10_000;

/** State of a followed file. */
export interface FollowState {
  /** Stamp of the version that was read last, see {@link stampOf}. */
  readonly stamp: string;
  /** Why that version is not active; null if it is. */
  readonly problem: string | null;
}

/** A file that is polled for changes. Disposing of it stops polling. */
export interface FollowedFile extends Disposable {
  readonly path: string;
  /** Polls the file now; resolves when a change is active or refused. Never throws. */
  checkNow(): Promise<FollowState>;
  state(): FollowState;
}

export interface FileFollowing {
  readonly path: string;
  /** State of the version that was read before. */
  readonly since: FollowState;
  /** Activates the current version; throws if it is unusable. */
  apply(): Promise<void> | void;
  /** Called once for each problem, not again for the same one. */
  onProblem(error: unknown): void;
}

/** Polls a file every second and applies it when it was replaced, created or removed, or its permissions changed. */
export function followFile({ path, since, apply, onProblem }: FileFollowing): FollowedFile {
  let state = since;
  let triedAtMs = performance.now();

  async function applyVersion(stamp: string): Promise<void> {
    triedAtMs = performance.now();
    const before = state;
    try {
      await apply();
      state = { stamp, problem: null };
    } catch (error) {
      state = { stamp, problem: error instanceof Error ? error.message : String(error) };
      if (state.problem !== before.problem || stamp !== before.stamp) onProblem(error);
    }
  }

  async function checkFile(): Promise<void> {
    const stamp = stampOf(path);
    const isRetryDue = state.problem !== null && performance.now() - triedAtMs >= RETRY_INTERVAL_MS;
    if (stamp !== state.stamp || isRetryDue) await applyVersion(stamp);
  }

  // Sequential, so that the last change wins.
  const polling = repeated(POLL_INTERVAL_MS, checkFile);
  return {
    path,
    async checkNow() {
      await polling.now();
      return state;
    },
    state: () => state,
    [Symbol.dispose]: () => void polling.stop(),
  };
}

/**
 * Returns a stamp that changes with the file or its permissions; empty if there is no file, the error code if stat
 * fails.
 */
export function stampOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found ? `${found.ino} ${found.ctimeNs} ${found.mtimeNs} ${found.size}` : '';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}
