import type { SQL } from 'bun';
import type { ResolveHost } from '#src/checks/store/database-access.ts';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { LateError } from '../session/fault.ts';
import type { ServerGuard } from '../session/server-guard.ts';
import { createSession, type DatabaseConnection, type Session, withFailover } from '../session/session.ts';

/** Read timeout, short enough that readers do not delay appends. */
const READ_TIMEOUT_MS = 3000;
const MAX_READERS = 2;

/** Timeout of statistics, which have their own connection. */
const SLOW_TIMEOUT_MS = 10_000;

/** Read sessions, opened on demand. */
export interface Readers extends Readonly<Record<Visibility, Session>>, AsyncDisposable {
  /** For slow queries on the public log. */
  readonly slow: Session;
}

/** Opens sessions that read from the first server that answers, even a standby. */
export function openReaders(
  urls: Readonly<Record<Visibility, readonly DatabaseUrl[]>>,
  guards: Readonly<Record<Visibility, ServerGuard>>,
  resolve: ResolveHost | undefined,
): Readers {
  function pool(visibility: Visibility, count: number, timeoutMs: number): Session {
    const servers = urls[visibility];
    const prepare = async (sql: SQL, url: DatabaseUrl) =>
      void (await guards[visibility].admit(sql, url, 'read', timeoutMs));
    const session = () => createSession({ urls: servers, timeoutMs, max: 1, resolve, prepare });
    return createSessionPool(
      Array.from({ length: count }, () => withFailover(session(), servers)),
      timeoutMs,
    );
  }

  const readers = {
    public: pool('public', MAX_READERS, READ_TIMEOUT_MS),
    private: pool('private', 1, READ_TIMEOUT_MS),
    slow: pool('public', 1, SLOW_TIMEOUT_MS),
  };
  return {
    ...readers,
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(readers).map((one) => one[Symbol.asyncDispose]()));
    },
  };
}

/**
 * Pools sessions of one connection each, so that a timeout closes only the connection of its own work. Work waits in
 * turn for a free session, at most `patienceMs`.
 */
export function createSessionPool<Ready>(sessions: readonly Session<Ready>[], patienceMs: number): Session<Ready> {
  const idle = [...sessions];
  const waiting: ((session: Session<Ready>) => void)[] = [];

  async function take(): Promise<Session<Ready>> {
    const free = idle.pop();
    if (free) return free;
    const { promise, resolve, reject } = Promise.withResolvers<Session<Ready>>();
    waiting.push(resolve);
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(resolve), 1);
      reject(new LateError('no connection came free in time'));
    }, patienceMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    renew() {
      for (const session of sessions) session.renew();
    },
    async run<T>(work: (connection: DatabaseConnection<Ready>) => Promise<T>) {
      const session = await take();
      try {
        return await session.run(work);
      } finally {
        const next = waiting.shift();
        if (next) next(session);
        else idle.push(session);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(sessions.map((session) => session[Symbol.asyncDispose]()));
    },
  };
}
