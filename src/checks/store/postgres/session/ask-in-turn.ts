import { databaseFaultOf } from './fault.ts';
import type { Session } from './session.ts';

/**
 * A session for reading, which may be done twice: where a server is out of reach, the next one is asked in its place, each of
 * `servers` once.
 */
export function askInTurn<Ready>(session: Session<Ready>, servers: number): Session<Ready> {
  return {
    async run(work) {
      for (let left = servers - 1; ; left--) {
        try {
          return await session.run(work);
        } catch (error) {
          if (left <= 0 || databaseFaultOf(error)?.isOfConnection !== true) throw error;
        }
      }
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}
