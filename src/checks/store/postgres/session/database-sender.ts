import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { faultOf } from '../../file/fault.ts';
import { StoreError } from '../../store-error.ts';
import type { KeptCheck } from '../../write/stored-check.ts';
import type { AppendChecks } from '../append.ts';
import { databaseFaultOf, sqlStateOf } from './fault.ts';
import type { DatabaseConnection, Session } from './session.ts';

/** How long a database that was away is left alone before it is tried, doubled each time. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** What came of checks: a database that is away may have kept them all the same. */
export type SendOutcome = 'kept' | 'refused' | 'away';

/** The way to a database, as long as it is open and while it is not. */
export interface DatabaseWay extends AsyncDisposable {
  /** Sends checks, all or none; at once `away` where the database is known to be. Never rejects. */
  send(checks: readonly KeptCheck[]): Promise<SendOutcome>;
  /**
   * Connects, and tries whether the database takes checks: one that does not is away from then on.
   *
   * @throws StoreError where it is not the database of this log, or is reached in a way that cannot work
   */
  open(): Promise<void>;
  /** Examines the server again that is connected to, and signs in there. Never rejects. */
  examine(): Promise<void>;
  /** The SQLSTATE with which a check was refused last; null where none was. */
  refusedWith(): string | null;
  /** Tells of which checks the answer was not taken, if the database is there to be told. Never rejects. */
  tellUndelivered(requestIds: readonly string[]): Promise<void>;
  /** What keeps the database from being written, as the end of a sentence; null where nothing does. */
  awayFor(): string | null;
}

/** What a way is made of. */
export interface WayOptions {
  readonly visibility: Visibility;
  readonly session: Session<ReadyToAppend>;
  readonly logger: Logger;
  /** A check to try a database with that was away: it says more than a question of which nothing is kept. */
  readonly probe: () => readonly KeptCheck[];
  readonly onBack: () => void;
}

/** What a connection is made ready for. */
export interface ReadyToAppend {
  readonly append: AppendChecks;
  /** Appends a check and takes it back: whether the database takes any. */
  readonly tryOut: () => Promise<void>;
  /** Examines the server again. */
  readonly examine: () => Promise<void>;
}

/** A database that is away, slow or full is tried in the background until it takes what it is given. */
export function createWay({ visibility, session, logger, probe, onBack }: WayOptions): DatabaseWay {
  let away: string | null = null;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: Timer | null = null;
  let refusedWith: string | null = null;
  let isClosed = false;

  async function attempt(
    work: (connection: DatabaseConnection<ReadyToAppend>) => PromiseLike<unknown>,
  ): Promise<SendOutcome> {
    try {
      await session.run(async (connection) => await work(connection));
    } catch (error) {
      if (databaseFaultOf(error)?.isOfRow === true && (await takesAny())) {
        refusedWith = sqlStateOf(error);
        // A message of the database may quote what was to be kept.
        logger.error('log.check_refused', { log: visibility, state: refusedWith });
        return 'refused';
      }
      leave(error);
      return 'away';
    }
    if (away !== null) logger.info('log.database_back', { log: visibility });
    away = null;
    pauseMs = FIRST_PAUSE_MS;
    return 'kept';
  }

  /** Whether a check can be at fault: a database that refuses every check is away, and none is refused for good. */
  async function takesAny(): Promise<boolean> {
    try {
      await session.run(({ ready }) => ready.tryOut());
      return true;
    } catch {
      return false;
    }
  }

  function leave(error: unknown): void {
    const { matter } = databaseFaultOf(error) ?? faultOf(error) ?? { matter: 'it is not the database of this log' };
    if (away === null) {
      const advice = error instanceof StoreError ? { advice: error.message } : {};
      logger.error('log.database_away', { log: visibility, matter, state: sqlStateOf(error), ...advice });
    }
    away = matter;
    if (isClosed) return;
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => void tryAgain(), pauseMs).unref();
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }

  async function tryAgain(): Promise<void> {
    const checks = probe();
    const outcome = await attempt(({ ready }) => (checks.length > 0 ? ready.append(checks) : ready.tryOut()));
    // One that is refused is met again, by who can set it aside.
    if (outcome === 'refused') away = null;
    if (outcome !== 'away') onBack();
  }

  return {
    async open() {
      try {
        await session.run(({ ready }) => ready.tryOut());
      } catch (error) {
        const fault = databaseFaultOf(error);
        if (!fault) throw error;
        if (fault.isOfSetup) throw new StoreError('database', `The log cannot be written: ${fault.matter}.`);
        leave(error);
      }
    },
    async examine() {
      if (away === null) await attempt(({ ready }) => ready.examine());
    },
    refusedWith: () => refusedWith,
    send: async (checks) => (away === null ? await attempt(({ ready }) => ready.append(checks)) : 'away'),
    async tellUndelivered(requestIds) {
      const statement = 'insert into undelivered select unnest($1::uuid[]) on conflict do nothing';
      const ids = `{${requestIds.join(',')}}`;
      const outcome = away === null ? await attempt(({ sql }) => sql.unsafe(statement, [ids])) : 'away';
      // Nobody waits to be told, and nothing but this note is lost.
      if (outcome !== 'kept') logger.warn('log.undelivered_not_noted', { log: visibility, checks: requestIds.length });
    },
    awayFor: () => away,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await session[Symbol.asyncDispose]();
    },
  };
}
