import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { Type } from '@sinclair/typebox';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { LogExtent, Mark } from './extent.ts';

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
  restart(extent: LogExtent): void;
  /** What is missing from now on, until {@link restart}, is missing on purpose. */
  expectNothing(): void;
}

const MarkSchema = Type.Union([
  Type.Object({ id: Type.Number(), requestId: Type.String(), atMs: Type.Number() }),
  Type.Null(),
]);
const LedgerSchema = Type.Object({ madeAtMs: Type.Number(), oldest: MarkSchema, newest: MarkSchema });

/** What the ledger of the log at `path` says; null where there is none, or none that can be read, which is logged. */
export function readLedger(path: string, logger: Logger): LogExtent | null {
  const ledger = ledgerOf(path);
  if (!existsSync(ledger)) return null;
  try {
    const shaped = readShape(LedgerSchema, parseJson(readFileSync(ledger, 'utf8')));
    if ('value' in shaped) return shaped.value;
    // Half a ledger says nothing, and the log has to open all the same.
    logger.warn('log.ledger_failed', { path: ledger, problem: shaped.problem });
  } catch (error) {
    logger.warn('log.ledger_failed', { path: ledger, error });
  }
  return null;
}

/** Starts the ledger of the log at `path` with what the log holds. A ledger that cannot be written is logged, once. */
export function openLedger(path: string, found: LogExtent, logger: Logger): Ledger {
  let extent = found;
  let isFailing = false;
  let descriptor: number | null = null;
  const bytes = Buffer.alloc(LEDGER_BYTES);

  function write(next: LogExtent): void {
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
