import { faultOf } from '#src/checks/store/file/fault.ts';
import type { StoredRecord } from '#src/checks/store/messages/stored-message.ts';
import { StoreError, type StoreErrorCode } from '#src/checks/store/store-error.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { type AppendRecords, storeUndelivered } from '../append.ts';
import { databaseFaultOf, sqlStateOf } from './fault.ts';
import type { DatabaseConnection, Session } from './session.ts';

/** Pauses before an unavailable database is retried, doubled each time. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** Result of sending checks; `unavailable` does not exclude that the database stored them. */
export type SendOutcome = 'kept' | 'refused' | 'unavailable';

/** Sends checks to a database and tracks its availability. */
export interface DatabaseSender extends AsyncDisposable {
  /** Sends checks, all or none; returns `unavailable` at once if the database is unavailable. Never rejects. */
  send(checks: readonly StoredRecord[]): Promise<SendOutcome>;
  /**
   * Connects, and tests an append; if that fails, the database counts as unavailable.
   *
   * @throws StoreError if it is not the database of this log, or its URL cannot work
   */
  open(): Promise<void>;
  /** Examines the connected server again, and registers the node there. Never rejects. */
  examine(): Promise<void>;
  /** SQLSTATE of the last refused check; null if none was refused. */
  refusalState(): string | null;
  /** Stores which checks were not delivered, if the database is available. Never rejects. */
  storeUndelivered(requestIds: readonly string[]): Promise<void>;
  /** Why the database cannot be written, as the end of a sentence; null if it can. */
  unavailableReason(): string | null;
}

/** Options of a sender. */
export interface SenderOptions {
  readonly visibility: Visibility;
  readonly session: Session<ReadyToAppend>;
  readonly logger: Logger;
  /** Returns a check for testing an unavailable database: it tests more than a query that stores nothing. */
  readonly probe: () => readonly StoredRecord[];
  readonly onRecovered: () => void;
}

/** Operations of a prepared connection. */
export interface ReadyToAppend {
  readonly append: AppendRecords;
  /** Appends a check and rolls it back, as a test. */
  readonly testAppend: () => Promise<void>;
  /** Examines the server again. */
  readonly examine: () => Promise<void>;
}

/** Matters of a database that does not fit, by the code of its StoreError. */
const UNFIT: Partial<Record<StoreErrorCode, string>> = {
  older_version: 'the database has an older schema: its owner must run lurecheck database migrate',
  newer_version: 'the database has a newer schema than this version of lurecheck supports',
  unknown_history: 'the database has a schema that no release of lurecheck made',
};

/** Returns why a database cannot be written, for the public, and what the operator can do. */
function reasonOf(error: unknown): { readonly matter: string; readonly advice?: string } {
  if (error instanceof StoreError) {
    return { matter: UNFIT[error.code] ?? 'it is not the database of this log', advice: error.message };
  }
  const fault = databaseFaultOf(error) ?? faultOf(error);
  return { matter: fault?.matter ?? 'it cannot be used', ...(fault?.remedy && { advice: fault.remedy }) };
}

/** Creates a sender. It retries an unavailable, slow or full database in the background until it accepts checks. */
export function createSender({ visibility, session, logger, probe, onRecovered }: SenderOptions): DatabaseSender {
  let unavailable: string | null = null;
  /** Reasons that were logged since the database was last available: servers may have different ones. */
  const logged = new Set<string>();
  let pauseMs = FIRST_PAUSE_MS;
  let timer: Timer | null = null;
  let refusalState: string | null = null;
  let isClosed = false;

  async function attempt(
    work: (connection: DatabaseConnection<ReadyToAppend>) => PromiseLike<unknown>,
  ): Promise<SendOutcome> {
    try {
      await session.run(async (connection) => await work(connection));
    } catch (error) {
      if (databaseFaultOf(error)?.isOfRow === true && (await acceptsTrial())) {
        refusalState = sqlStateOf(error);
        // The database's message may quote the check.
        logger.error('log.check_refused', { log: visibility, state: refusalState });
        return 'refused';
      }
      becomeUnavailable(error);
      return 'unavailable';
    }
    if (unavailable !== null) logger.info('log.database_back', { log: visibility });
    unavailable = null;
    logged.clear();
    pauseMs = FIRST_PAUSE_MS;
    return 'kept';
  }

  /**
   * Returns true if the check is at fault: a database that refuses every check counts as unavailable, so that none is
   * refused for good.
   */
  async function acceptsTrial(): Promise<boolean> {
    try {
      await session.run(({ ready }) => ready.testAppend());
      return true;
    } catch {
      return false;
    }
  }

  function becomeUnavailable(error: unknown): void {
    const { matter, advice } = reasonOf(error);
    if (!logged.has(matter)) {
      logged.add(matter);
      logger.error('log.database_away', {
        log: visibility,
        matter,
        state: sqlStateOf(error),
        ...(advice && { advice }),
      });
    }
    unavailable = matter;
    if (isClosed) return;
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => void tryAgain(), pauseMs).unref();
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }

  async function tryAgain(): Promise<void> {
    const checks = probe();
    const outcome = await attempt(({ ready }) => (checks.length > 0 ? ready.append(checks) : ready.testAppend()));
    // A refused check is sent again by the write queue, which can set it aside.
    if (outcome === 'refused') unavailable = null;
    if (outcome !== 'unavailable') onRecovered();
  }

  return {
    async open() {
      try {
        await session.run(({ ready }) => ready.testAppend());
      } catch (error) {
        const fault = databaseFaultOf(error);
        if (!fault) throw error;
        if (fault.isOfSetup) throw new StoreError('database', `The log cannot be written: ${fault.matter}.`);
        becomeUnavailable(error);
      }
    },
    async examine() {
      if (unavailable === null) await attempt(({ ready }) => ready.examine());
    },
    refusalState: () => refusalState,
    send: async (checks) => (unavailable === null ? await attempt(({ ready }) => ready.append(checks)) : 'unavailable'),
    async storeUndelivered(requestIds) {
      const outcome =
        unavailable === null ? await attempt(({ db }) => storeUndelivered(db, requestIds)) : 'unavailable';
      // No one waits for this, and only the mark is lost.
      if (outcome !== 'kept') logger.warn('log.undelivered_not_noted', { log: visibility, checks: requestIds.length });
    },
    unavailableReason: () => unavailable,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await session[Symbol.asyncDispose]();
    },
  };
}
