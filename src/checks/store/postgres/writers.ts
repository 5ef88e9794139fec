import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { VERSION } from '#src/core/base/version.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { makePrivateDirectory } from '../file/data-directory.ts';
import { lockDirectory } from '../file/directory-lock.ts';
import { createAppendSession } from './append-session.ts';
import type { DatabaseUrl } from './session/database-url.ts';
import { createLane, type Lane } from './session/write-queue.ts';
import { createHeartbeatWatch, type NodeJudgement } from './nodes/nodes.ts';
import type { ServerGuard } from './session/server-guard.ts';
import type { ResolveHost } from './session/session.ts';
import { openSpool } from './spool.ts';

/** How often a node says that it lives, and looks whether the servers are still the right ones. */
const HEARTBEAT_MS = 10_000;

/** Who writes, and where to. */
export interface WritersOptions {
  readonly urls: Readonly<Record<Visibility, readonly DatabaseUrl[]>>;
  readonly guards: Readonly<Record<Visibility, ServerGuard>>;
  readonly resolve?: ResolveHost | undefined;
  /** A service has spools, and is known by its heartbeats; a command only appends. */
  readonly isService: boolean;
  readonly dataDir: string;
  readonly nodeName: string;
  /** How long a check waits for the database. */
  readonly timeoutMs: number;
  /** Checks that may wait on this node for each database; 0 where they are refused instead. */
  readonly spoolRows: number;
  /** Offset of this node's clock beyond which it refuses checks; none by default. */
  readonly maxOffsetMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The ways of checks into both databases. */
export interface Writers extends AsyncDisposable {
  readonly lanes: Readonly<Record<Visibility, Lane>>;
  /** Sends heartbeats until what it returns is disposed of. */
  announce(judgement: () => NodeJudgement): Disposable;
  /** What the operator should know of this node, in sentences that everybody may read. */
  notices(): readonly string[];
}

/**
 * Opens both lanes.
 *
 * @throws StoreError where the data directory or a spool cannot be used, or a database is not the one of its log
 */
export async function openWriters(options: WritersOptions): Promise<Writers> {
  const { urls, guards, resolve, isService, dataDir, timeoutMs, spoolRows, clock, logger } = options;
  await using opening = new AsyncDisposableStack();
  makePrivateDirectory(dataDir, logger);
  // Of two that write to one spool, each would send what the other keeps.
  if (isService) opening.use(lockDirectory(dataDir));
  const run = crypto.randomUUID();
  const heartbeat = createHeartbeatWatch(run, options.maxOffsetMs ?? Number.POSITIVE_INFINITY, logger);
  let judge: (() => NodeJudgement) | null = null;
  const sign = {
    name: options.nodeName,
    version: VERSION,
    run: isService ? run : null,
    judgement: () => judge?.() ?? null,
    waiting: () => lanes.public.waiting() + lanes.private.waiting(),
    setAside: () => lanes.public.setAside() + lanes.private.setAside(),
    clock,
    onSigned: heartbeat.note,
  };
  const lanes = { public: openLane('public'), private: openLane('private') };

  function openLane(visibility: Visibility): Lane {
    const guard = guards[visibility];
    return opening.use(
      createLane({
        visibility,
        session: createAppendSession({ urls: urls[visibility], visibility, timeoutMs, guard, resolve, sign }),
        spool: isService && spoolRows > 0 ? openSpool(`${dataDir}/${visibility}.spool`) : null,
        spoolRows,
        refusal: heartbeat.refusal,
        logger,
      }),
    );
  }

  for (const lane of [lanes.public, lanes.private]) await lane.open();
  const closing = opening.move();
  return {
    lanes,
    announce(judgement) {
      judge = judgement;
      const beat = () => void Promise.all([lanes.public.examine(), lanes.private.examine()]);
      const timer = setInterval(beat, HEARTBEAT_MS);
      beat();
      return { [Symbol.dispose]: () => clearInterval(timer) };
    },
    notices: heartbeat.notices,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
