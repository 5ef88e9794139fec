import { type Static, Type } from '@sinclair/typebox';

/** What checks cost where the log is in a PostgreSQL, as `bun test/bench/fleet.ts` leaves it in a file. */
export const FleetFiguresSchema = Type.Object({
  /** ISO 8601. */
  measuredAt: Type.String(),
  postgresVersion: Type.String(),
  checks: Type.Integer(),
  /** Processor time for one check, without a look at the network: of the node, and of all processes of the server. */
  nodeMicroseconds: Type.Number(),
  postgresMicroseconds: Type.Number(),
  /** What one check takes of the server's disk for good, and of its write-ahead log. */
  diskBytes: Type.Number(),
  walBytes: Type.Number(),
});

/** @see FleetFiguresSchema */
export type FleetFigures = Static<typeof FleetFiguresSchema>;

const SECOND_US = 1e6;

/** The figures in sentences of the README. */
export function fleetText(figures: FleetFigures): string {
  const { checks, nodeMicroseconds: node, postgresMicroseconds: server, diskBytes, walBytes } = figures;
  const perCore = (us: number) => (Math.round(SECOND_US / us / 10) * 10).toLocaleString('en');
  const kb = (bytes: number) => (bytes / 1000).toFixed(1);
  return [
    `A check that looks at nothing takes ${Math.round(node)} µs of a processor at its node and ${Math.round(server)} µs at the PostgreSQL, so that a core of`,
    `the one carries about ${perCore(node)} a second and a core of the other ${perCore(server)}; it takes ${kb(diskBytes)} kB of the server's disk for as long as`,
    `it is kept, and ${kb(walBytes)} kB of its write-ahead log (${checks.toLocaleString('en')} checks by \`bun test/bench/fleet.ts\`, ${figures.measuredAt.slice(0, 10)}, PostgreSQL ${figures.postgresVersion}).`,
    'Plan each to be busy for half of the time at most, and one node more than that takes.',
  ].join('\n');
}
