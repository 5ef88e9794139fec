import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { faultOf } from '../../file/fault.ts';
import type { KeptCheck } from '../../write/stored-check.ts';
import { stopping, unlogged } from '../../write/log-errors.ts';
import { batchSize } from '../append.ts';
import { createWay, type DatabaseWay, type ReadyToAppend } from './database-sender.ts';
import type { Session } from './session.ts';
import type { Spool } from '../spool.ts';

/** What waited goes home in small parts, since a check that comes in meanwhile waits for one of them. */
const DRAINED_TOGETHER = 64;

/** However many checks come in, after so many of their batches one of the spool has its turn. */
const BATCHES_A_DRAIN = 8;

/** How often it is looked whether the operator retried or dropped what was set aside. */
const REFRESH_MS = 1000;

/** A spool that fails is left alone for as long, and is then tried again, whether checks come in or not. */
const BROKEN_MS = 10_000;

const FULL = 'the database is away, and as many checks as may wait for it do';
const NO_ROOM = 'the database is away, and the disk of this node is full';

/** The way of checks into one database. */
export interface Lane extends AsyncDisposable {
  /** Resolves once a check is kept. Throws UnavailableError where it cannot be. */
  add(check: KeptCheck): Promise<void>;
  /** Notes that nobody was there to take an answer; before a check that is added later is kept, so is this. */
  markUndelivered(requestId: string): void;
  /** What keeps the database from being written, as the end of a sentence; null where nothing does. */
  awayFor(): string | null;
  /** What keeps checks from being kept; null where nothing does. */
  problem(): string | null;
  /** How many wait for the database on this node. */
  waiting(): number;
  /** How many of them the database refused. */
  setAside(): number;
  /** Connects; see {@link DatabaseWay.open}. */
  open(): Promise<void>;
  /** Examines the server again; see {@link DatabaseWay.examine}. */
  examine(): Promise<void>;
}

/** What a lane is made of. */
export interface LaneOptions {
  readonly visibility: Visibility;
  readonly session: Session<ReadyToAppend>;
  /** Null where checks are refused while the database is away. */
  readonly spool: Spool | null;
  /** Checks that may wait in the spool. */
  readonly spoolRows: number;
  /** Why no check may be kept now, wherever, as the end of a sentence; null where they may. */
  readonly refusal?: () => string | null;
  readonly logger: Logger;
}

interface Asked {
  readonly check: KeptCheck;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One batch is under way at a time, and what comes meanwhile is the next. Where the database is away, slow or full, checks
 * go to the spool, and from there to the database, oldest first, once it answers again. What came of a batch that
 * was not answered is not known: it is sent again, and the database keeps it once.
 */
export function createLane({ visibility, session, spool, spoolRows, refusal, logger }: LaneOptions): Lane {
  const queue: Asked[] = [];
  const undelivered = new Set<string>();
  const probe = () => spool?.oldest(1) ?? [];
  const way = createWay({ visibility, session, logger, probe, onBack: start });
  const { keep } = createKeeper(way, spool, spoolRows);
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
      // What one turn of the event loop brings is one batch.
      await new Promise(setImmediate);
      while (await goOn());
    } finally {
      isPumping = false;
      // What came since the last look found the pump running, and did not start it.
      if (queue.length > 0) start();
    }
  }

  async function goOn(): Promise<boolean> {
    if (undelivered.size > 0) {
      const requestIds = [...undelivered];
      undelivered.clear();
      await way.tellUndelivered(requestIds);
    }
    const isTurnOfSpool = queue.length === 0 || batches >= BATCHES_A_DRAIN;
    if (spool && isTurnOfSpool && way.awayFor() === null && spool.waiting() > 0 && !isClosed) {
      batches = 0;
      if (await drainUnlessBroken(spool)) return true;
    }
    if (queue.length === 0) return false;
    batches++;
    await keep(queue.splice(0, batchSize(queue.length)));
    return true;
  }

  /** Where the file fails, checks that come in pass it by for a while. */
  async function drainUnlessBroken(from: Spool): Promise<boolean> {
    if (rest) return false;
    try {
      await drain(way, from, visibility, logger);
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
    if (from.waiting() > 0 && way.awayFor() === null && !isClosed) start();
  }

  const refreshing = spool && setInterval(() => refresh(spool), REFRESH_MS).unref();
  if ((spool?.waiting() ?? 0) > 0) start();

  return {
    add(check) {
      if (isClosed) return Promise.reject(stopping());
      const reason = refusal?.() ?? null;
      if (reason !== null) return Promise.reject(unlogged(reason));
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      queue.push({ check, resolve, reject });
      start();
      return promise;
    },
    markUndelivered(requestId) {
      undelivered.add(requestId);
      if (!isClosed) start();
    },
    awayFor: way.awayFor,
    problem: () => {
      const reason = refusal?.() ?? null;
      if (reason !== null) return reason;
      if (way.awayFor() === null || !spool) return way.awayFor();
      return spoolProblem(spool, 1, spoolRows);
    },
    waiting: () => spool?.waiting() ?? 0,
    setAside: () => spool?.setAsideCount() ?? 0,
    open: way.open,
    examine: way.examine,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      if (rest) clearTimeout(rest);
      if (refreshing) clearInterval(refreshing);
      while (isPumping) await pumping;
      await way[Symbol.asyncDispose]();
      spool?.[Symbol.dispose]();
    },
  };
}

/** What keeps a spool from taking so many more; null where nothing does. */
function spoolProblem(spool: Spool, more: number, spoolRows: number): string | null {
  if (spool.waiting() + more > spoolRows) return FULL;
  return spool.hasRoom() ? null : NO_ROOM;
}

/** Keeps batches in the database, or on this node where it is away. */
function createKeeper(way: DatabaseWay, spool: Spool | null, spoolRows: number) {
  async function keep(asked: readonly Asked[]): Promise<void> {
    const outcome = await way.send(asked.map(({ check }) => check));
    if (outcome === 'kept') for (const { resolve } of asked) resolve();
    else if (outcome === 'away') keepHere(asked);
    else if (asked.length > 1) for (const one of asked) await keep([one]);
    else asked[0]?.reject(unlogged('the database does not take it'));
  }

  function keepHere(asked: readonly Asked[]): void {
    try {
      if (!spool) throw unlogged(way.awayFor() ?? 'the database is away');
      const room = spoolRows - spool.waiting();
      if (room > 0 && asked.length > room) {
        keepHere(asked.slice(0, room));
        keepHere(asked.slice(room));
        return;
      }
      const problem = spoolProblem(spool, asked.length, spoolRows);
      if (problem !== null) throw unlogged(problem);
      spool.put(asked.map(({ check }) => check));
      for (const { resolve } of asked) resolve();
    } catch (error) {
      const fault = faultOf(error);
      for (const { reject } of asked) reject(fault ? unlogged(fault.matter, error) : error);
    }
  }

  return { keep };
}

/** Whoever is in the spool has been answered: what the database does not take stays there for the operator. */
async function drain(way: DatabaseWay, spool: Spool, log: Visibility, logger: Logger): Promise<void> {
  const due = spool.oldest(DRAINED_TOGETHER);
  const some = due.slice(0, batchSize(due.length));
  const outcome = await way.send(some);
  if (outcome === 'kept') return spool.remove(some);
  if (outcome === 'away') return;
  for (const one of some) {
    const alone = await way.send([one]);
    if (alone === 'away') return;
    if (alone === 'kept') spool.remove([one]);
    else {
      const state = way.refusedWith();
      spool.setAside(one, state);
      logger.error('log.spooled_check_set_aside', { log, request_id: one.requestId, state });
    }
  }
}
