import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Logger } from '#src/base/logger.ts';
import type { Extent, Mark } from './extent.ts';

/** Room for an extent and some. One length for ever, so that writing never needs space on a full disk. */
const LEDGER_BYTES = 512;

/**
 * A file beside a log that says how far the log goes. It follows each commit, but does not wait for the disk: it may lag
 * behind after a power cut, and is never ahead. A log that ends before its ledger does has lost something.
 */
export interface Ledger extends Disposable {
  /** The log was continued by checks from `first` to `last`, which are on the disk. */
  committed(first: Mark, last: Mark): void;
  /** The log is as it should be. */
  restart(extent: Extent): void;
  /** What is missing from now on, until {@link restart}, is missing on purpose. */
  expectNothing(): void;
}

/** What the ledger of the log at `path` says; null where there is none, or none that can be read, which is logged. */
export function readLedger(path: string, logger: Logger): Extent | null {
  const ledger = ledgerOf(path);
  if (!existsSync(ledger)) return null;
  try {
    return readExtent(JSON.parse(readFileSync(ledger, 'utf8')));
  } catch (error) {
    // Half a ledger says nothing, and the log has to open all the same.
    logger.warn('log.ledger_failed', { path: ledger, error });
    return null;
  }
}

/** Starts the ledger of the log at `path` with what the log holds. A ledger that cannot be written is logged, once. */
export function openLedger(path: string, found: Extent, logger: Logger): Ledger {
  let extent = found;
  let isFailing = false;
  let descriptor: number | null = null;
  const bytes = Buffer.alloc(LEDGER_BYTES);

  function write(next: Extent): void {
    extent = next;
    bytes.fill(' ');
    bytes.write(`${JSON.stringify(extent)}\n`);
    try {
      descriptor ??= openSync(ledgerOf(path), constants.O_CREAT | constants.O_WRONLY, 0o600);
      writeSync(descriptor, bytes, 0, LEDGER_BYTES, 0);
      isFailing = false;
    } catch (error) {
      // The checks are kept all the same: only a loss would be seen later, or not at all.
      if (!isFailing) logger.warn('log.ledger_failed', { path, error });
      isFailing = true;
    }
  }

  write(found);
  return {
    committed: (first, last) => write({ ...extent, oldest: extent.oldest ?? first, newest: last }),
    restart: write,
    expectNothing: () => write({ ...extent, oldest: null, newest: null }),
    [Symbol.dispose]() {
      if (descriptor !== null) closeSync(descriptor);
    },
  };
}

function ledgerOf(path: string): string {
  return path.replace(/\.sqlite$/, '.ledger');
}

function readExtent(value: unknown): Extent | null {
  const { madeAtMs, oldest, newest } = recordOf(value);
  if (typeof madeAtMs !== 'number') return null;
  return { madeAtMs, oldest: readMark(oldest), newest: readMark(newest) };
}

function readMark(value: unknown): Mark | null {
  const { id, requestId, atMs } = recordOf(value);
  if (typeof id !== 'number' || typeof requestId !== 'string' || typeof atMs !== 'number') return null;
  return { id, requestId, atMs };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
