import { type Clock, systemClock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { repeated, withTimeout } from '#src/core/base/timers.ts';
import type { LimiterStatus } from '#src/service/server/limiter/quota.ts';
import { WINDOW_MS } from '#src/service/server/limiter/rate-limit.ts';
import { type LimiterServer, type LimiterTerm, openRedisLink, type RedisLink, reasonOf } from './redis-link.ts';
import type { SharedWindows } from './shared-limiter.ts';

/** A connected server that accepts writes. */
interface ReachedServer {
  readonly server: LimiterServer;
  readonly link: RedisLink;
  /** Null for a single server. */
  readonly term: LimiterTerm | null;
}

/** Distinguishes a former primary from its successor. */
interface LimiterTerms {
  /** Returns the server to count in; null if each is a former primary. Logs the others. */
  choose(reached: readonly ReachedServer[]): ReachedServer | null;
  /** Writes a new term to the chosen server if another one counted before. */
  claim(chosen: ReachedServer): Promise<void>;
  /** Notes that the current server is unreachable. */
  noteLost(): void;
  /** Notes that a server is a replica: whichever is promoted then is valid. */
  noteReplica(server: LimiterServer): void;
  /** True if two servers accepted writes at the last examination. */
  readonly hasOutdated: boolean;
}

/**
 * A replica copies the term of its primary. The first client that counts in it after its promotion raises the term
 * there, so that the former primary has a lower one, or none, when it returns. A node remembers the highest term that
 * it has seen until it has been without that server for a window: then nothing that was counted there is in any window.
 */
export function createLimiterTerms(logger: Logger, clock: Clock): LimiterTerms {
  let seen: { readonly number: number; readonly server: LimiterServer | null } = { number: 0, server: null };
  let lostAtMs = Number.NEGATIVE_INFINITY;
  const outdated = new Set<LimiterServer>();

  const mayCount = ({ server, term }: ReachedServer) =>
    numberOf(term) >= seen.number || server === seen.server || clock.monotonicMs() - lostAtMs > WINDOW_MS;

  return {
    choose(reached) {
      const [chosen = null] = reached
        .filter(mayCount)
        .toSorted((one, other) => numberOf(other.term) - numberOf(one.term));
      const former = new Set(reached.filter((one) => one !== chosen).map(({ server }) => server));
      for (const server of former) {
        if (!outdated.has(server)) logger.error('limiter.outdated', { limiter: server.address.withoutPassword });
      }
      outdated.clear();
      for (const server of former) outdated.add(server);
      return chosen;
    },
    async claim({ server, link, term }) {
      if (term === null) return;
      const { withoutPassword } = server.address;
      const number = Math.max(term.number, seen.number) + (term.server === withoutPassword ? 0 : 1);
      if (number > term.number) await link.writeTerm({ number, server: withoutPassword });
      seen = { number, server };
      lostAtMs = Number.POSITIVE_INFINITY;
    },
    noteLost() {
      lostAtMs = clock.monotonicMs();
    },
    noteReplica(server) {
      if (server === seen.server) lostAtMs = Number.NEGATIVE_INFINITY;
    },
    get hasOutdated() {
      return outdated.size > 0;
    },
  };
}

const numberOf = (term: LimiterTerm | null) => term?.number ?? 0;

/** Interval of attempts to reach unavailable servers. */
const RETRY_MS = 500;

/** Interval of checks for a former primary that accepts writes again. */
const EXAMINE_MS = 5000;

const FORMER = 'it is a former primary: another server took its place';

/** Options of counting in Redis or Valkey. */
export interface RedisWindowsOptions {
  /** The first server that accepts writes is used, or the most recently promoted one. */
  readonly servers: readonly LimiterServer[];
  /** A server whose reply takes twice as long is left. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  /** Called before each attempt to connect. */
  readonly onConnecting?: (server: LimiterServer) => Promise<void>;
  /** Replaces the script, for tests with another clock. */
  readonly script?: string;
}

/**
 * Opens windows in a Redis or Valkey. Waits until one is reached or all have failed. After its first wrong reply or
 * second late one, a server is unavailable: one log line gives the reason, and all are tried twice per second. A
 * replica refuses writes and is skipped until it is promoted. Of several that accept writes, the one with the highest
 * term is used.
 */
export async function openRedisWindows(
  options: RedisWindowsOptions,
): Promise<SharedWindows & LimiterStatus & Disposable> {
  const { servers, timeoutMs, logger } = options;
  const turns = { shared: 0, local: 0 };
  const terms = createLimiterTerms(logger, systemClock);
  const isOneOfSeveral = servers.length > 1;
  let linked: Omit<ReachedServer, 'term'> | null = null;
  let countsAlone = false;
  let lastReason: string | null = null;
  let retry: Timer | undefined;
  let isClosed = false;

  function reportUnavailable(limiter: string, reason: string): void {
    if (reason !== lastReason) logger.warn('limiter.local', { limiter, reason });
    lastReason = reason;
    if (!countsAlone) turns.local++;
    countsAlone = true;
    if (!isClosed) retry = setTimeout(() => void open(), RETRY_MS);
  }

  function leave(lost: RedisLink, error: unknown): void {
    if (linked?.link !== lost) return;
    const { withoutPassword } = linked.server.address;
    linked = null;
    terms.noteLost();
    lost[Symbol.dispose]();
    reportUnavailable(withoutPassword, reasonOf(error));
  }

  /** Switches to the valid server among those reached. Returns true if there is one. */
  async function settle(reached: readonly ReachedServer[]): Promise<boolean> {
    const chosen = isClosed ? null : terms.choose(reached);
    const isClaimed = chosen !== null && (await isDone(terms.claim(chosen))) && !isClosed;
    const before = linked;
    if (isClaimed) linked = { server: chosen.server, link: chosen.link };
    for (const link of new Set([before?.link, ...reached.map((one) => one.link)])) {
      if (link !== linked?.link) link?.[Symbol.dispose]();
    }
    if (!isClaimed) return false;
    clearTimeout(retry);
    countsAlone = false;
    lastReason = null;
    if (before?.link === chosen.link) return true;
    turns.shared++;
    logger.info('limiter.shared', { limiter: chosen.server.address.withoutPassword });
    return true;
  }

  async function open(): Promise<void> {
    const found = await Promise.all(servers.map((server) => reach(server, leave, options)));
    const reached = found.filter((one) => typeof one !== 'string');
    for (const [at, server] of servers.entries()) if (isReplica(found[at])) terms.noteReplica(server);
    if ((await settle(reached)) || isClosed) return;
    const reasons = found.map((one, at) => {
      const reason = typeof one === 'string' ? one : FORMER;
      return isOneOfSeveral ? `${servers[at]?.address.withoutPassword}: ${reason}` : reason;
    });
    reportUnavailable(servers.map(({ address }) => address.withoutPassword).join(', '), reasons.join('; '));
  }

  /** Checks if another server accepts writes beside the current one. */
  async function examine(): Promise<void> {
    const current = linked;
    if (current === null) return;
    const found = await Promise.all(
      servers.filter((server) => server !== current.server).map((server) => reach(server, leave, options)),
    );
    const others = found.filter((one) => typeof one !== 'string');
    const term = await current.link.readTerm().catch(() => null);
    if (linked === current && term !== null) await settle([{ ...current, term }, ...others]);
    else for (const { link } of others) link[Symbol.dispose]();
  }

  await open();
  const examining = isOneOfSeveral ? repeated(EXAMINE_MS, examine) : null;
  return {
    turns,
    get isUnavailable() {
      return linked === null;
    },
    get hasOutdated() {
      return terms.hasOutdated;
    },
    async take(wanted, places = 1) {
      const asked = linked?.link;
      try {
        return (asked && (await patientReply(asked.take(wanted, places), timeoutMs))) ?? null;
      } catch (error) {
        if (asked) leave(asked, error);
        return null;
      }
    },
    [Symbol.dispose]() {
      isClosed = true;
      clearTimeout(retry);
      void examining?.stop();
      linked?.link[Symbol.dispose]();
      linked = null;
    },
  };
}

/** Connects to a server that accepts writes; returns the reason if it does not. */
async function reach(
  server: LimiterServer,
  onLost: (lost: RedisLink, error: unknown) => void,
  { servers, onConnecting, script }: RedisWindowsOptions,
): Promise<ReachedServer | string> {
  try {
    await onConnecting?.(server);
    const link = await openRedisLink(server, onLost, script);
    try {
      return { server, link, term: servers.length > 1 ? await link.readTerm() : null };
    } catch (error) {
      link[Symbol.dispose]();
      throw error;
    }
  } catch (error) {
    return reasonOf(error);
  }
}

const isReplica = (found: ReachedServer | string | undefined) =>
  typeof found === 'string' && found.includes('READONLY');

async function isDone(work: Promise<void>): Promise<boolean> {
  return await work.then(
    () => true,
    () => false,
  );
}

/** The reply was late once. */
class LateReply extends Error {
  override readonly name = 'LateReply';
}

/**
 * Waits for a reply, and once more if it is late: on a busy machine the reply, or the server itself, may have waited for a
 * processor. Asking again could take a second place.
 *
 * @param ms how long to wait each time
 */
export async function patientReply<T>(reply: Promise<T>, ms: number): Promise<T> {
  try {
    return await withTimeout(reply, ms, () => new LateReply());
  } catch (error) {
    if (!(error instanceof LateReply)) throw error;
    return await withTimeout(reply, ms);
  }
}
