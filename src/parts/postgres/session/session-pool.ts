import { LateError } from './fault.ts';
import type { DatabaseConnection, Session } from './session.ts';

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
