import { type Static, Type } from '@sinclair/typebox';

/** Cost of a number of processes, with checks of the URL only. */
const NodesFiguresSchema = Type.Object({
  /** Processes on one port, each pinned to its own core if the machine has four. */
  processes: Type.Integer(),
  /** Connections of clients, each with one check at a time: the more, the more checks share a statement. */
  connections: Type.Integer(),
  /** Checks answered per second. */
  perSecond: Type.Number(),
  /** Processor time per check: of the nodes, of all PostgreSQL processes, and of Redis. */
  nodeMicroseconds: Type.Number(),
  postgresMicroseconds: Type.Number(),
  redisMicroseconds: Type.Number(),
});

/** @see NodesFiguresSchema */
export type NodesFigures = Static<typeof NodesFiguresSchema>;

/** Cost of checks in a fleet, as `bun run bench --fleet` writes it; medians of several rounds. */
export const FleetFiguresSchema = Type.Object({
  /** ISO 8601. */
  measuredAt: Type.String(),
  postgresVersion: Type.String(),
  checks: Type.Integer(),
  /** Of the machine. */
  cores: Type.Integer(),
  /** PostgreSQL's disk space per check while it is stored, the part of its indexes, and its write-ahead log per check. */
  diskBytes: Type.Number(),
  indexBytes: Type.Number(),
  walBytes: Type.Number(),
  /** In the order of {@link ROWS}. */
  rows: Type.Array(NodesFiguresSchema),
});

/** @see FleetFiguresSchema */
export type FleetFigures = Static<typeof FleetFiguresSchema>;

const SECOND_US = 1e6;

/** What is measured. The text gives costs by the last row: few checks at a time at each process, as where people wait for them. */
export const ROWS: readonly Pick<NodesFigures, 'processes' | 'connections'>[] = [
  { processes: 1, connections: 64 },
  { processes: 2, connections: 64 },
  { processes: 2, connections: 16 },
];

/** Returns the figures as Markdown for the manual. */
export function fleetText({ checks, cores, diskBytes, walBytes, rows, ...figures }: FleetFigures): string {
  const perCore = (us: number) => tens(SECOND_US / us);
  const kb = (bytes: number) => (bytes / 1000).toFixed(1);
  const ordinary = rows.at(-1);
  if (ordinary === undefined) throw new Error('nothing was measured');
  const row = ({ processes, connections, ...nodes }: NodesFigures) => {
    const micros = [nodes.nodeMicroseconds, nodes.postgresMicroseconds, nodes.redisMicroseconds].map(Math.round);
    return `| ${[processes, connections, tens(nodes.perSecond), ...micros].join(' | ')} |`;
  };
  return [
    '| processes | connections | checks/s | µs per check: nodes | PostgreSQL | Redis |',
    '|---|---|---|---|---|---|',
    ...rows.map(row),
    '',
    `A core carries ${perCore(ordinary.nodeMicroseconds)} checks/s of a node, or ${perCore(ordinary.postgresMicroseconds)} of PostgreSQL, or ${perCore(ordinary.redisMicroseconds)} of Redis. A check takes ${kb(diskBytes)} kB of`,
    `PostgreSQL's disk while it is stored, and ${kb(walBytes)} kB of its write-ahead log. Measured with checks of the URL only on ${cores} cores that`,
    `also ran the load generator (${checks.toLocaleString('en')} checks by \`bun run bench --fleet\`, ${figures.measuredAt.slice(0, 10)}, PostgreSQL ${figures.postgresVersion}).`,
    'Plan for at most 50 % load of each, and one spare node.',
  ].join('\n');
}

const tens = (value: number): string => (Math.round(value / 10) * 10).toLocaleString('en');
