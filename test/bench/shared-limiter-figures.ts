import { type Static, Type } from '@sinclair/typebox';

const MB = 1e6;

/** Cost of counting clients in Redis, as `bun test/bench/shared-limiter.ts` writes it. */
export const SharedLimiterFiguresSchema = Type.Object({
  /** ISO 8601. */
  measuredAt: Type.String(),
  redisVersion: Type.String(),
  clients: Type.Integer(),
  /** Growth of resident memory, by the places that each client has taken. */
  heldBytes: Type.Array(Type.Object({ places: Type.Integer(), bytes: Type.Number() })),
  /** Processor time per decision, of the server and of the node. */
  serverMicroseconds: Type.Number(),
  nodeMicroseconds: Type.Number(),
  /** Processor time of the server for a call if the window is nearly full. */
  byLimit: Type.Array(Type.Object({ limit: Type.Integer(), serverMicroseconds: Type.Number() })),
});

/** @see SharedLimiterFiguresSchema */
export type SharedLimiterFigures = Static<typeof SharedLimiterFiguresSchema>;

/** Returns the figures as sentences of the manual. */
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
    `Redis needs for ${clients} clients ${held.join(', and ')}. One decision takes ${server} µs of processor time in Redis and`,
    `${node} µs on the node. If the window is nearly full, a decision takes in Redis, by limit: ${byLimit.join(', ')}`,
    `(\`bun test/bench/shared-limiter.ts\`, ${figures.measuredAt.slice(0, 10)}, Redis ${figures.redisVersion}).`,
  ].join('\n');
}
