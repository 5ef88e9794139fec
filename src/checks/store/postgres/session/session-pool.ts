import { LateError } from './fault.ts';
import type { DatabaseConnection, Session } from './session.ts';

/**
 * Several sessions of one connection each, of which every piece of work has one to itself: what the database does not answer
 * in time closes no connection but its own. Who comes when all are taken waits in turn, and gives up after `patienceMs`.
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
