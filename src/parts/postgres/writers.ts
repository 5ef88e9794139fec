import type { NodeConfiguration, ResolveHost } from '#src/checks/store/database-access.ts';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import { lockDirectory, makePrivateDirectory } from '#src/checks/store/file/directory-lock.ts';
import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Notice } from '#src/core/base/text/notice.ts';
import { VERSION } from '#src/core/base/version.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { createAppendSession } from './append-session.ts';
import { createHeartbeatWatch } from './nodes/nodes.ts';
import type { ServerGuard } from './session/server-guard.ts';
import { createWriteQueue, type WriteQueue } from './session/write-queue.ts';
import { openSpool } from './spool.ts';

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
