import type { SQL } from 'bun';
import type { NodeConfiguration, ResolveHost } from '#src/checks/store/database-access.ts';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import { lockDirectory, makePrivateDirectory } from '#src/checks/store/file/directory-lock.ts';
import type { LocalLog } from '#src/checks/store/local-log.ts';
import type { LoggedMessage } from '#src/checks/store/messages/stored-message.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import type { LoggedCheck, StoredCheck } from '#src/checks/store/write/stored-check.ts';
import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import type { Notice } from '#src/core/base/text/condition.ts';
import { VERSION } from '#src/core/base/version.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { createAppend, MAX_BATCH, storeUndelivered } from './append.ts';
import { createHeartbeatWatch, type NodeStatus, registerNode } from './nodes/nodes.ts';
import type { ReadyToAppend } from './session/database-sender.ts';
import { DatabaseClockError, databaseFaultOf, faultSentence, NotReadyError } from './session/fault.ts';
import type { ServerGuard } from './session/server-guard.ts';
import { createSession, type Session } from './session/session.ts';
import { createWriteQueue, type WriteQueue } from './session/write-queue.ts';
import { openSpool } from './spool.ts';

/** Timeout of a batch; no client waits. */
const TIMEOUT_MS = 60_000;

/** Result of copying a log. */
export interface Copied {
  /** Checks of URLs and messages now in the database, including those already there. */
  readonly checks: number;
  /** Checks that the database refused; they stay in the file. */
  readonly refused: number;
}

/**
 * Copies a log from its file into its database, oldest first. Repeatable: existing checks are neither stored nor
 * counted again.
 *
 * @throws StoreError if either cannot be used
 */
export async function copyLog(
  log: Pick<LocalLog, 'storedAfter' | 'messages'>,
  visibility: Visibility,
  options: Omit<AppendSessionOptions, 'timeoutMs' | 'visibility'>,
): Promise<Copied> {
  await using session = createAppendSession({ ...options, visibility, timeoutMs: TIMEOUT_MS });
  type Rows = readonly (LoggedCheck | LoggedMessage)[];
  type Read = (visibility: Visibility, afterId: number, limit: number) => Rows | Promise<Rows>;
  let [copied, refused] = [0, 0];

  async function append(rows: Rows): Promise<void> {
    try {
      await session.run(async ({ db, ready }) => {
        const undelivered = rows.filter((row) => row.isUndelivered).map((row) => row.requestId);
        if (undelivered.length > 0) await storeUndelivered(db, undelivered);
        await ready.append(rows);
      });
      copied += rows.length;
    } catch (error) {
      const fault = databaseFaultOf(error);
      if (!fault) throw error;
      if (!fault.isOfRow)
        throw new StoreError('database', `The log cannot be copied: ${faultSentence(fault)}`, { cause: error });
      if (rows.length > 1) for (const row of rows) await append([row]);
      else refused++;
    }
  }

  async function appendAll(storedAfter: Read): Promise<void> {
    for (let rows = await storedAfter(visibility, 0, MAX_BATCH); rows.length > 0; ) {
      await append(rows);
      rows = await storedAfter(visibility, rows.at(-1)?.id ?? 0, MAX_BATCH);
    }
  }

  await appendAll(log.storedAfter);
  await appendAll(log.messages.storedAfter);
  return { checks: copied, refused };
}

/** Options of an append session. */
export interface AppendSessionOptions {
  readonly urls: readonly DatabaseUrl[];
  readonly visibility: Visibility;
  readonly timeoutMs: number;
  readonly guard: ServerGuard;
  readonly status: NodeStatus;
  readonly resolve?: ResolveHost | undefined;
}

/** Creates a session that appends checks, to a writable server with a matching schema. */
export function createAppendSession(options: AppendSessionOptions): Session<ReadyToAppend> {
  const { urls, visibility, timeoutMs, guard, status, resolve } = options;
  const registerAt = async (sql: SQL) => {
    const node = visibility === 'public' ? (await registerNode(sql, status)).id : null;
    const problem = status.databaseClock?.() ?? null;
    if (problem !== null) throw new DatabaseClockError(problem);
    return node;
  };
  const prepare = async (sql: SQL, url: DatabaseUrl): Promise<ReadyToAppend> => {
    await guard.admit(sql, url, 'write', timeoutMs);
    const node = await registerAt(sql);
    return {
      append: createAppend(sql, node),
      testAppend: () => testAppend(sql, node),
      async examine() {
        try {
          await guard.admit(sql, url, 'write', timeoutMs);
          await registerAt(sql);
        } catch (error) {
          throw new NotReadyError(error);
        }
      },
    };
  };
  return createSession({ urls, timeoutMs, max: 1, resolve, prepare });
}

/** Rolls back the transaction of a trial. */
class RollBackTrial extends Error {
  override readonly name = 'RollBackTrial';
}

/** Appends a well-formed check and rolls it back. Throws the database's error. */
async function testAppend(sql: SQL, node: number | null): Promise<void> {
  const outcome = sql.begin(async (transaction) => {
    await createAppend(transaction, node)([trialCheck()]);
    throw new RollBackTrial('nothing is stored');
  });
  await outcome.catch((error: unknown) => {
    if (!(error instanceof RollBackTrial)) throw error;
  });
}

function trialCheck(): StoredCheck {
  return {
    requestId: createRequestId(Date.now()),
    decision: 'allow',
    probability: 0,
    coverage: null,
    caution: null,
    answerTimeBucket: 0,
    clientHash: null,
    host: null,
    decidingHost: null,
    via: null,
    reasons: null,
    list: null,
    entry: null,
    listOwner: null,
    url: 'http://trial.invalid/',
    settings: '',
    record: new Uint8Array(),
  };
}

/** Interval of heartbeats and server examinations. */
const HEARTBEAT_MS = 10_000;

/** Options of the writers. */
export interface WritersOptions {
  readonly urls: Readonly<Record<Visibility, readonly DatabaseUrl[]>>;
  readonly guards: Readonly<Record<Visibility, ServerGuard>>;
  readonly resolve?: ResolveHost | undefined;
  /** True for a service, which has spools and sends heartbeats; false for a command, which only appends. */
  readonly isService: boolean;
  readonly dataDir: string;
  readonly nodeName: string;
  /** How long a check waits for the database, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of spooled checks per database; 0 refuses them instead. */
  readonly spoolRows: number;
  /** Clock offset in milliseconds beyond which this node refuses checks; unlimited by default. */
  readonly maxOffsetMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Write queues of both databases. */
export interface Writers extends AsyncDisposable {
  readonly queues: Readonly<Record<Visibility, WriteQueue>>;
  /** Sends heartbeats until the result is disposed of. */
  announce(configuration: () => NodeConfiguration): Disposable;
  /** Notices for the operator, as the public may know them. */
  notices(): readonly Notice[];
}

/**
 * Opens both write queues.
 *
 * @throws StoreError if the data directory or a spool cannot be used, or a database does not hold its log
 */
export async function openWriters(options: WritersOptions): Promise<Writers> {
  const { urls, guards, resolve, isService, dataDir, timeoutMs, spoolRows, clock, logger } = options;
  await using opening = new AsyncDisposableStack();
  makePrivateDirectory(dataDir, logger);
  // Two processes with one spool would each send what the other stores.
  if (isService) opening.use(lockDirectory(dataDir));
  const run = crypto.randomUUID();
  const heartbeat = createHeartbeatWatch(run, options.maxOffsetMs ?? Number.POSITIVE_INFINITY, { clock, logger });
  let configurationNow: (() => NodeConfiguration) | null = null;
  const status = {
    name: options.nodeName,
    version: VERSION,
    run: isService ? run : null,
    configuration: () => configurationNow?.() ?? null,
    waiting: () => queues.public.waiting() + queues.private.waiting(),
    setAside: () => queues.public.setAside() + queues.private.setAside(),
    clock,
    onRegistered: heartbeat.note,
    databaseClock: heartbeat.databaseClock,
  };
  const queues = { public: openQueue('public'), private: openQueue('private') };

  function openQueue(visibility: Visibility): WriteQueue {
    const guard = guards[visibility];
    return opening.use(
      createWriteQueue({
        visibility,
        session: createAppendSession({ urls: urls[visibility], visibility, timeoutMs, guard, resolve, status }),
        spool: isService && spoolRows > 0 ? openSpool(`${dataDir}/${visibility}.spool`) : null,
        spoolRows,
        refusal: heartbeat.refusal,
        logger,
      }),
    );
  }

  for (const queue of [queues.public, queues.private]) await queue.open();
  const closing = opening.move();
  return {
    queues,
    announce(configuration) {
      configurationNow = configuration;
      const beat = () => void Promise.all([queues.public.examine(), queues.private.examine()]);
      const timer = setInterval(beat, HEARTBEAT_MS);
      beat();
      return { [Symbol.dispose]: () => clearInterval(timer) };
    },
    notices: heartbeat.notices,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
