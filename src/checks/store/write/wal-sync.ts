import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';

/** Brings the write-ahead log of a file to the disk. */
export interface WalSync extends Disposable {
  /** Resolves once everything that was written before the call is on disk. The event loop does not wait. */
  sync(): Promise<void>;
  /** As {@link sync}, before it returns. */
  syncNow(): void;
}

const fdatasyncInThread = promisify(fdatasync);

/**
 * Opens the sync of the write-ahead log of the SQLite file at `path`, for commits with `synchronous=NORMAL`, which SQLite
 * leaves to the system. This is as safe as `synchronous=FULL`, whose commits end with the same sync on the calling thread:
 *
 * - A check is answered after the sync of its commit, which covers all earlier frames of the write-ahead log too.
 * - A power failure before cuts commits off the end of the log, because frames have checksums that build on each other.
 * - A checkpoint syncs the log before it copies frames into the file, and the file before the log is restarted; a restarted
 *   log syncs its header. SQLite does these with NORMAL as with FULL, whichever thread checkpoints.
 *
 * A descriptor of the log itself may be closed: SQLite's locks are on the two files beside it.
 */
export function openWalSync(path: string): WalSync {
  /** Not in use. Each sync in progress has a descriptor of its own, because the system reports an error once for each. */
  const descriptors: number[] = [];
  let isClosed = false;
  // The log exists once something was written.
  const open = () => descriptors.pop() ?? openSync(`${path}-wal`, 'r');
  const release = (descriptor: number) => {
    if (isClosed) closeSync(descriptor);
    else descriptors.push(descriptor);
  };
  return {
    async sync() {
      const descriptor = open();
      try {
        await fdatasyncInThread(descriptor);
      } finally {
        release(descriptor);
      }
    },
    syncNow() {
      const descriptor = open();
      try {
        fdatasyncSync(descriptor);
      } finally {
        release(descriptor);
      }
    },
    [Symbol.dispose]() {
      isClosed = true;
      for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
    },
  };
}
