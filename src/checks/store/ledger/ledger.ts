import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { Type } from '@sinclair/typebox';
import type { Logger } from '#src/core/base/logger.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import type { LogExtent, Mark } from './extent.ts';

/** Size of a ledger: an extent and some space. The constant length lets it be rewritten on a full disk. */
const LEDGER_BYTES = 512;

/**
 * A file beside a log that records its extent. It is written after each commit without a sync, so that it may lag
 * behind after a power failure but is never ahead. A log that ends before its ledger has lost checks.
 */
export interface Ledger extends Disposable {
  /** Records that checks from `first` to `last` were committed. */
  committed(first: Mark, last: Mark): void;
  /** Records a new extent. */
  restart(extent: LogExtent): void;
  /** Expects no checks until {@link restart}: they are removed on purpose. */
  expectNothing(): void;
}

const MarkSchema = Type.Union([
  Type.Object({ id: Type.Number(), requestId: Type.String(), atMs: Type.Number() }),
  Type.Null(),
]);
const LedgerSchema = Type.Object({ madeAtMs: Type.Number(), oldest: MarkSchema, newest: MarkSchema });

/** Reads the ledger of the log at `path`; null if it is missing or unreadable, which is logged. */
export function readLedger(path: string, logger: Logger): LogExtent | null {
  const ledger = ledgerOf(path);
  if (!existsSync(ledger)) return null;
  try {
    const shaped = readShape(LedgerSchema, parseJson(readFileSync(ledger, 'utf8')));
    if ('value' in shaped) return shaped.value;
    // The log must open even if its ledger is incomplete.
    logger.warn('log.ledger_failed', { path: ledger, problem: shaped.problem });
  } catch (error) {
    logger.warn('log.ledger_failed', { path: ledger, error });
  }
  return null;
}

/** Opens the ledger of the log at `path` with the log's extent. Write failures are logged once. */
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
      // The checks are stored anyway: a loss would only be found later, or not at all.
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
