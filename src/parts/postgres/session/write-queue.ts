import { faultOf } from '#src/checks/store/file/fault.ts';
import type { StoredRecord } from '#src/checks/store/messages/stored-message.ts';
import { notLoggedError, stoppingError } from '#src/checks/store/write/log-errors.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { batchSize } from '../append.ts';
import type { Spool } from '../spool.ts';
import { createSender, type DatabaseSender, type ReadyToAppend } from './database-sender.ts';
import type { Session } from './session.ts';

/** Spooled checks per batch, small because new checks wait for it. */
const DRAINED_TOGETHER = 64;

/** Number of batches of new checks after which one batch of the spool is sent. */
const BATCHES_A_DRAIN = 8;

/** Interval at which the operator's retries and drops are picked up. */
const REFRESH_MS = 1000;

/** Pause after a spool failure, after which it is retried even without new checks. */
const BROKEN_MS = 10_000;

const FULL = 'the database is unavailable, and the spool has reached log_spool_rows';
const NO_ROOM = 'the database is unavailable, and the disk of this node is full';

/** Queue of checks for one database. */
export interface WriteQueue extends AsyncDisposable {
  /** Resolves once a check, of a URL or a message, is stored. Throws UnavailableError if it cannot be. */
  add(check: StoredRecord): Promise<void>;
  /** Marks a check as undelivered; stored before any check that is added later. */
  markUndelivered(requestId: string): void;
  /** Why the database cannot be written, as the end of a sentence; null if it can. */
  unavailableReason(): string | null;
  /** Why checks cannot be stored; null if they can. */
  problem(): string | null;
  /** Number of checks spooled on this node. */
  waiting(): number;
  /** Number of spooled checks that the database refused. */
  setAside(): number;
  /** Connects; see {@link DatabaseSender.open}. */
  open(): Promise<void>;
  /** Examines the server again; see {@link DatabaseSender.examine}. */
  examine(): Promise<void>;
  /** See {@link Session.renew}. */
  renew(): void;
}

/** Options of a write queue. */
export interface WriteQueueOptions {
  readonly visibility: Visibility;
  readonly session: Session<ReadyToAppend>;
  /** Null if checks are refused while the database is unavailable. */
  readonly spool: Spool | null;
  /** Maximum number of spooled checks. */
  readonly spoolRows: number;
  /** Why no check may be stored anywhere now, as the end of a sentence; null if they may. */
  readonly refusal?: () => string | null;
  readonly logger: Logger;
}

interface Asked {
  readonly check: StoredRecord;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates a write queue. It sends one batch at a time; later checks form the next. While the database is unavailable,
 * slow or full, checks go to the spool, and from there to the database, oldest first, once it answers again. A batch
 * without an answer is sent again, and the database stores it once.
 */
export function createWriteQueue({
  visibility,
  session,
  spool,
  spoolRows,
  refusal,
  logger,
}: WriteQueueOptions): WriteQueue {
  const queue: Asked[] = [];
  const undelivered = new Set<string>();
  const probe = () => spool?.oldest(1) ?? [];
  const sender = createSender({ visibility, session, logger, probe, onRecovered: start });
  const { keep } = createKeeper(sender, spool, spoolRows);
  let isPumping = false;
  let pumping = Promise.resolve();
  let batches = 0;
  let rest: Timer | null = null;
  let isClosed = false;

  function start(): void {
    if (isPumping) return;
    isPumping = true;
    pumping = pump();
  }

  async function pump(): Promise<void> {
    try {
      // The checks of one turn of the event loop form one batch.
      await new Promise(setImmediate);
      while (await goOn());
    } finally {
      isPumping = false;
      // Checks that arrived since the last iteration did not start the pump.
      if (queue.length > 0) start();
    }
  }

  async function goOn(): Promise<boolean> {
    if (undelivered.size > 0) {
      const requestIds = [...undelivered];
      undelivered.clear();
      await sender.storeUndelivered(requestIds);
    }
    const isTurnOfSpool = queue.length === 0 || batches >= BATCHES_A_DRAIN;
    if (spool && isTurnOfSpool && sender.unavailableReason() === null && spool.waiting() > 0 && !isClosed) {
      batches = 0;
      if (await drainUnlessBroken(spool)) return true;
    }
    if (queue.length === 0) return false;
    batches++;
    await keep(queue.splice(0, batchSize(queue.length)));
    return true;
  }

  /** While the spool fails, new checks bypass it for a while. */
  async function drainUnlessBroken(from: Spool): Promise<boolean> {
    if (rest) return false;
    try {
      await drain(sender, from, visibility, logger);
      return true;
    } catch (error) {
      rest = setTimeout(() => {
        rest = null;
        start();
      }, BROKEN_MS);
      logger.error('log.spool_failed', { log: visibility, matter: faultOf(error)?.matter ?? 'it cannot be read' });
      return false;
    }
  }

  function refresh(from: Spool): void {
    from.refresh();
    if (from.waiting() > 0 && sender.unavailableReason() === null && !isClosed) start();
  }

  const refreshing = spool && setInterval(() => refresh(spool), REFRESH_MS).unref();
  if ((spool?.waiting() ?? 0) > 0) start();

  return {
    add(check) {
      if (isClosed) return Promise.reject(stoppingError());
      const reason = refusal?.() ?? null;
      if (reason !== null) return Promise.reject(notLoggedError(reason));
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      queue.push({ check, resolve, reject });
      start();
      return promise;
    },
    markUndelivered(requestId) {
      undelivered.add(requestId);
      if (!isClosed) start();
    },
    unavailableReason: sender.unavailableReason,
    problem: () => {
      const reason = refusal?.() ?? null;
      if (reason !== null) return reason;
      if (sender.unavailableReason() === null || !spool) return sender.unavailableReason();
      return spoolProblem(spool, 1, spoolRows);
    },
    waiting: () => spool?.waiting() ?? 0,
    setAside: () => spool?.setAsideCount() ?? 0,
    open: sender.open,
    examine: sender.examine,
    renew: () => session.renew(),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      if (rest) clearTimeout(rest);
      if (refreshing) clearInterval(refreshing);
      while (isPumping) await pumping;
      await sender[Symbol.asyncDispose]();
      spool?.[Symbol.dispose]();
    },
  };
}

/** Why a spool cannot take more checks; null if it can. */
function spoolProblem(spool: Spool, more: number, spoolRows: number): string | null {
  if (spool.waiting() + more > spoolRows) return FULL;
  return spool.hasRoom() ? null : NO_ROOM;
}

/** Stores batches in the database, or in the spool while it is unavailable. */
function createKeeper(sender: DatabaseSender, spool: Spool | null, spoolRows: number) {
  async function keep(asked: readonly Asked[]): Promise<void> {
    const outcome = await sender.send(asked.map(({ check }) => check));
    if (outcome === 'kept') for (const { resolve } of asked) resolve();
    else if (outcome === 'unavailable') keepHere(asked);
    else if (asked.length > 1) for (const one of asked) await keep([one]);
    else asked[0]?.reject(notLoggedError('the database does not take it'));
  }

  function keepHere(asked: readonly Asked[]): void {
    try {
      if (!spool) throw notLoggedError(sender.unavailableReason() ?? 'the database is unavailable');
      const room = spoolRows - spool.waiting();
      if (room > 0 && asked.length > room) {
        keepHere(asked.slice(0, room));
        keepHere(asked.slice(room));
        return;
      }
      const problem = spoolProblem(spool, asked.length, spoolRows);
      if (problem !== null) throw notLoggedError(problem);
      spool.put(asked.map(({ check }) => check));
      for (const { resolve } of asked) resolve();
    } catch (error) {
      const fault = faultOf(error);
      for (const { reject } of asked) reject(fault ? notLoggedError(fault.matter, error) : error);
    }
  }

  return { keep };
}

/** Sends a batch of the spool. Its checks have been answered: refused ones stay there for the operator. */
async function drain(sender: DatabaseSender, spool: Spool, log: Visibility, logger: Logger): Promise<void> {
  const due = spool.oldest(DRAINED_TOGETHER);
  const some = due.slice(0, batchSize(due.length));
  const outcome = await sender.send(some);
  if (outcome === 'kept') return spool.remove(some);
  if (outcome === 'unavailable') return;
  for (const one of some) {
    const alone = await sender.send([one]);
    if (alone === 'unavailable') return;
    if (alone === 'kept') spool.remove([one]);
    else {
      const state = sender.refusalState();
      spool.setAside(one, state);
      logger.error('log.spooled_check_set_aside', { log, request_id: one.requestId, state });
    }
  }
}
