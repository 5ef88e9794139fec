import { answeredWithin } from '#src/core/base/with-timeout.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { type LimiterServer, openRedisLink, type RedisLink, reasonOf } from './redis-link.ts';
import type { SharedWindows } from './shared-limiter.ts';

/** From one try to reach servers that are away to the next. */
const RETRY_MS = 500;

/** What it takes to count in a Redis or a Valkey. */
export interface RedisWindowsOptions {
  /** Tried in turn: the first that takes what is written is counted in. */
  readonly servers: readonly LimiterServer[];
  /** How long one answer is waited for. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  /** Is told before each try to connect. */
  readonly onConnecting?: (server: LimiterServer) => Promise<void>;
  /** In place of the script, one that goes by another clock. */
  readonly script?: string;
}

/** How a node counts. */
export interface LimiterStatus {
  /** Whether this node counts alone for now. */
  readonly isAway: boolean;
  /** How often it has begun to count with the others, and alone. */
  readonly turns: { readonly shared: number; readonly local: number };
}

/** A server that is counted in. */
interface Linked {
  readonly server: LimiterServer;
  readonly link: RedisLink;
}

/**
 * Windows in the memory of a Redis or a Valkey. Waits until one is reached, or none was: with the first of what it answers
 * badly or late it is away, one line of the log says why, and all are tried in turn twice a second. A replica refuses what is
 * written, so it is passed by until it is promoted.
 */
export async function openRedisWindows(
  options: RedisWindowsOptions,
): Promise<SharedWindows & LimiterStatus & Disposable> {
  const { servers, timeoutMs, logger } = options;
  const turns = { shared: 0, local: 0 };
  let linked: Linked | null = null;
  let isAlone = false;
  let told: string | null = null;
  let retry: Timer | undefined;
  let isClosed = false;

  function tellAway(limiter: string, reason: string): void {
    if (reason !== told) logger.warn('limiter.local', { limiter, reason });
    told = reason;
    if (!isAlone) turns.local++;
    isAlone = true;
    if (!isClosed) retry = setTimeout(() => void open(), RETRY_MS);
  }

  function leave(lost: RedisLink, error: unknown): void {
    if (linked?.link !== lost) return;
    const { shown } = linked.server.address;
    linked = null;
    lost[Symbol.dispose]();
    tellAway(shown, reasonOf(error));
  }

  async function open(): Promise<void> {
    const reasons: string[] = [];
    for (const server of servers) {
      try {
        await options.onConnecting?.(server);
        const link = await openRedisLink(server, leave, options.script);
        if (isClosed) return link[Symbol.dispose]();
        linked = { server, link };
        isAlone = false;
        told = null;
        turns.shared++;
        logger.info('limiter.shared', { limiter: server.address.shown });
        return;
      } catch (error) {
        reasons.push(servers.length > 1 ? `${server.address.shown}: ${reasonOf(error)}` : reasonOf(error));
      }
      if (isClosed) return;
    }
    tellAway(servers.map(({ address }) => address.shown).join(', '), reasons.join('; '));
  }

  await open();
  return {
    turns,
    get isAway() {
      return linked === null;
    },
    async take(wanted, places = 1) {
      const asked = linked?.link;
      try {
        return (asked && (await answeredWithin(asked.take(wanted, places), timeoutMs))) ?? null;
      } catch (error) {
        if (asked) leave(asked, error);
        return null;
      }
    },
    [Symbol.dispose]() {
      isClosed = true;
      clearTimeout(retry);
      linked?.link[Symbol.dispose]();
      linked = null;
    },
  };
}
