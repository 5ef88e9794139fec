import type { SQL } from 'bun';
import type { Visibility } from '#src/core/base/visibility.ts';
import { askInTurn } from '../session/ask-in-turn.ts';
import type { DatabaseUrl } from '../session/database-url.ts';
import type { ServerGuard } from '../session/server-guard.ts';
import { createSession, type ResolveHost, type Session } from '../session/session.ts';
import { createSessionPool } from '../session/session-pool.ts';

/** A reader gives up sooner than it would be in the way of appends. */
const READ_TIMEOUT_MS = 3000;
const MAX_READERS = 2;

/** Statistics take longer than a page of the history, and have a connection of their own. */
const SLOW_TIMEOUT_MS = 10_000;

/** Sessions that read, each opened when it is needed. */
export interface Readers extends Readonly<Record<Visibility, Session>>, AsyncDisposable {
  /** For what takes long, from the public log. */
  readonly slow: Session;
}

/** Opens sessions that read from the first server that answers, be it a standby. */
export function openReaders(
  urls: Readonly<Record<Visibility, readonly DatabaseUrl[]>>,
  guards: Readonly<Record<Visibility, ServerGuard>>,
  resolve: ResolveHost | undefined,
): Readers {
  function pool(visibility: Visibility, count: number, timeoutMs: number): Session {
    const servers = urls[visibility];
    const makeReady = async (sql: SQL, url: DatabaseUrl) =>
      void (await guards[visibility].admit(sql, url, 'read', timeoutMs));
    const session = () => createSession({ urls: servers, timeoutMs, max: 1, resolve, makeReady });
    return createSessionPool(
      Array.from({ length: count }, () => askInTurn(session(), servers.length)),
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
