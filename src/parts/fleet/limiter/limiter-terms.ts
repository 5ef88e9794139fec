import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { WINDOW_MS } from '#src/service/server/limiter/rate-limit.ts';
import type { LimiterServer, LimiterTerm, RedisLink } from './redis-link.ts';

/** A connected server that accepts writes. */
export interface ReachedServer {
  readonly server: LimiterServer;
  readonly link: RedisLink;
  /** Null for a single server. */
  readonly term: LimiterTerm | null;
}

/** Distinguishes a former primary from its successor. */
export interface LimiterTerms {
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
