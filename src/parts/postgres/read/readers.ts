import type { SQL } from 'bun';
import type { ResolveHost } from '#src/checks/store/database-access.ts';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { ServerGuard } from '../session/server-guard.ts';
import { createSession, type Session, withFailover } from '../session/session.ts';
import { createSessionPool } from '../session/session-pool.ts';

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
