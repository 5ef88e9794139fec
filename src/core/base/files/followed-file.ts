import { statSync } from 'node:fs';
import { repeated } from '../repeated.ts';

/** A change is seen after this time at the latest. */
const LOOK_EVERY_MS = 1000;

/** An unusable file is tried again this often, because what is wrong with it may lie in another file. */
const RETRY_EVERY_MS = 10_000;

/** What a follower knows of its file. */
export interface FollowStanding {
  /** Stamp of the version that was read last, see {@link stampOf}. */
  readonly stamp: string;
  /** Why that version is not active; null if it is. */
  readonly problem: string | null;
}

/** Follows a file that others replace. Disposing of it ends that. */
export interface FollowedFile extends Disposable {
  readonly path: string;
  /** Looks at the file now; resolves once a change of it is active or refused. Never throws. */
  look(): Promise<FollowStanding>;
  standing(): FollowStanding;
}

/** How a file is followed. */
export interface FileFollowing {
  readonly path: string;
  /** What was read of it before. */
  readonly since: FollowStanding;
  /** Makes the present version active; throws if it is unusable. */
  takeUp(): Promise<void> | void;
  /** Called once for each problem, not each time that the same one is met. */
  onProblem(error: unknown): void;
}

/** Looks at a file each second and takes it up whenever it was replaced, created, removed or given other rights. */
export function followFile({ path, since, takeUp, onProblem }: FileFollowing): FollowedFile {
  let standing = since;
  let triedAtMs = performance.now();

  async function takeUpNow(stamp: string): Promise<void> {
    triedAtMs = performance.now();
    const before = standing;
    try {
      await takeUp();
      standing = { stamp, problem: null };
    } catch (error) {
      standing = { stamp, problem: error instanceof Error ? error.message : String(error) };
      if (standing.problem !== before.problem || stamp !== before.stamp) onProblem(error);
    }
  }

  async function look(): Promise<void> {
    const stamp = stampOf(path);
    const isRetryDue = standing.problem !== null && performance.now() - triedAtMs >= RETRY_EVERY_MS;
    if (stamp !== standing.stamp || isRetryDue) await takeUpNow(stamp);
  }

  // One after the other, so that the last change is the one that stays.
  const looking = repeated(LOOK_EVERY_MS, look);
  return {
    path,
    async look() {
      await looking.now();
      return standing;
    },
    standing: () => standing,
    [Symbol.dispose]: () => void looking.stop(),
  };
}

/** Differs whenever a file was replaced or given other rights; empty if there is no file, the error code if it cannot be seen. */
export function stampOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found ? `${found.ino} ${found.ctimeNs} ${found.mtimeNs} ${found.size}` : '';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}
