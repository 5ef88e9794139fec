import type { Logger } from '#src/base/logger.ts';
import type { Visibility } from '#src/base/visibility.ts';
import { faultOf } from '../file/fault.ts';
import type { KeptCheck } from '../write/kept-check.ts';
import type { AppendChecks } from './append.ts';
import { databaseFaultOf } from './fault.ts';
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
}

/** A database that is away, slow or full is tried in the background until it takes what it is given. */
export function createWay({ visibility, session, logger, probe, onBack }: WayOptions): DatabaseWay {
  let away: string | null = null;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: Timer | null = null;
  let isClosed = false;

  async function attempt(
    work: (connection: DatabaseConnection<ReadyToAppend>) => PromiseLike<unknown>,
  ): Promise<SendOutcome> {
    try {
      await session.run(async (connection) => await work(connection));
    } catch (error) {
      // A message of the database may quote what was to be kept.
      const state = stateOf(error);
      if (databaseFaultOf(error)?.isOfRow === true) {
        logger.error('log.check_refused', { log: visibility, state });
        return 'refused';
      }
      leave(error, state);
      return 'away';
    }
    if (away !== null) logger.info('log.database_back', { log: visibility });
    away = null;
    pauseMs = FIRST_PAUSE_MS;
    return 'kept';
  }

  function leave(error: unknown, state: string | null): void {
    const { matter } = databaseFaultOf(error) ?? faultOf(error) ?? { matter: 'its schema does not fit' };
    if (away === null) logger.error('log.database_away', { log: visibility, matter, state });
    away = matter;
    if (isClosed) return;
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => void tryAgain(), pauseMs).unref();
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }

  async function tryAgain(): Promise<void> {
    const checks = probe();
    const outcome = await attempt(({ sql, ready }) =>
      checks.length > 0 ? ready.append(checks) : sql.unsafe('select 1'),
    );
    // One that is refused is met again, by who can set it aside.
    if (outcome === 'refused') away = null;
    if (outcome !== 'away') onBack();
  }

  return {
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

/** The SQLSTATE or the driver's code of an error, which quote nothing. */
function stateOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('errno' in error && typeof error.errno === 'string') return error.errno;
  return 'code' in error ? String(error.code) : error.name;
}
