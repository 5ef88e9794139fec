import { type Static, Type } from '@sinclair/typebox';

const MB = 1e6;

/** What a Redis takes to count clients, as `bun test/bench/shared-limiter.ts` leaves it in a file. */
export const SharedLimiterFiguresSchema = Type.Object({
  /** ISO 8601. */
  measuredAt: Type.String(),
  redisVersion: Type.String(),
  clients: Type.Integer(),
  /** Resident memory beyond what it held before, by the places that each client has taken. */
  heldBytes: Type.Array(Type.Object({ places: Type.Integer(), bytes: Type.Number() })),
  /** Processor time of the server for one decision, and of the node that asks. */
  serverMicroseconds: Type.Number(),
  nodeMicroseconds: Type.Number(),
  /** Processor time of the server for a call that takes a place of a window that is nearly full. */
  byLimit: Type.Array(Type.Object({ limit: Type.Integer(), serverMicroseconds: Type.Number() })),
});

/** @see SharedLimiterFiguresSchema */
export type SharedLimiterFigures = Static<typeof SharedLimiterFiguresSchema>;

/** The figures in a sentence of the README. */
export function sharedLimiterText(figures: SharedLimiterFigures): string {
  const held = figures.heldBytes.map(({ places, bytes }) => {
    return `${Math.round(bytes / MB)} MB with ${places} ${places === 1 ? 'place' : 'places'} taken`;
  });
  const clients = figures.clients.toLocaleString('en');
  const [server, node] = [figures.serverMicroseconds, figures.nodeMicroseconds].map((time) => Math.round(time));
  const byLimit = figures.byLimit.map(
    ({ limit, serverMicroseconds: us }) => `${us.toFixed(0)} µs at ${limit.toLocaleString('en')}`,
  );
  return [
    `${clients} clients take of a Redis ${held.join(', and ')}; one decision takes ${server} µs of its processor and`,
    `${node} µs of the node's. A call that meets a window that is nearly full takes of the Redis, by limit: ${byLimit.join(', ')}`,
    `(\`bun test/bench/shared-limiter.ts\`, ${figures.measuredAt.slice(0, 10)}, Redis ${figures.redisVersion}).`,
  ].join('\n');
}
