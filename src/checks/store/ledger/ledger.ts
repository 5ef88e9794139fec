import type { Database } from 'bun:sqlite';
import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { Type } from '@sinclair/typebox';
import type { Logger } from '#src/core/base/logger.ts';
import { requestIdMs, requestIdText } from '#src/core/base/request-id.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { prepareNamed } from '../statements/prepare-named.ts';

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

/** A check by its position in log order. */
export interface Mark {
  /** Increments by one per check. */
  readonly id: number;
  readonly requestId: string;
  /** Start of the check, in milliseconds since the Unix epoch. */
  readonly atMs: number;
}

/** First and last check of a log. */
export interface LogExtent {
  /** Creation time of the file, which identifies it. */
  readonly madeAtMs: number;
  /** Null if the log is empty, as is {@link newest}. */
  readonly oldest: Mark | null;
  readonly newest: Mark | null;
}

interface Row {
  readonly id: number;
  readonly request_id: Uint8Array;
}

/** Reads the extent of a log at the latest schema. */
export function logExtentOf(database: Database): LogExtent {
  const made = database.query<{ atMs: number }, []>('select applied_at_ms as atMs from schema_steps where step = 0');
  return {
    madeAtMs: made.get()?.atMs ?? 0,
    oldest: markOf(prepareNamed(database, 'oldestCheck').get({})),
    newest: markOf(prepareNamed(database, 'newestCheck').get({})),
  };
}

/** Returns true if a log holds a check at the expected id. */
export function holds(database: Database, { id, requestId }: Mark): boolean {
  return markOf(prepareNamed(database, 'checkAt').get({ id }))?.requestId === requestId;
}

function markOf(row: Row | null): Mark | null {
  if (!row) return null;
  const requestId = requestIdText(row.request_id);
  return { id: row.id, requestId, atMs: requestIdMs(requestId) };
}
