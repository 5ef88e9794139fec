import { type Static, Type } from '@sinclair/typebox';

/** Cost of a number of processes, with checks of the URL only. */
const NodesFiguresSchema = Type.Object({
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
  /** PostgreSQL's disk space per check while it is stored, and its write-ahead log per check. */
  diskBytes: Type.Number(),
  walBytes: Type.Number(),
  /** One process, and two on one port, each pinned to its own core if the machine has four. */
  one: NodesFiguresSchema,
  two: NodesFiguresSchema,
});

/** @see FleetFiguresSchema */
export type FleetFigures = Static<typeof FleetFiguresSchema>;

const SECOND_US = 1e6;

/** Returns the figures as Markdown for the manual. */
export function fleetText({ checks, cores, diskBytes, walBytes, one, two, ...figures }: FleetFigures): string {
  const perCore = (us: number) => tens(SECOND_US / us);
  const kb = (bytes: number) => (bytes / 1000).toFixed(1);
  const row = (name: string, nodes: NodesFigures) => {
    const micros = [nodes.nodeMicroseconds, nodes.postgresMicroseconds, nodes.redisMicroseconds].map(Math.round);
    return `| ${[name, tens(nodes.perSecond), ...micros].join(' | ')} |`;
  };
  return [
    '| processes | checks/s | µs per check: nodes | PostgreSQL | Redis |',
    '|---|---|---|---|---|',
    row('one', one),
    row('two', two),
    '',
    `A core carries ${perCore(one.nodeMicroseconds)} checks/s of a node, or ${perCore(one.postgresMicroseconds)} of PostgreSQL, or ${perCore(one.redisMicroseconds)} of Redis. A check takes ${kb(diskBytes)} kB of`,
    `PostgreSQL's disk while it is stored, and ${kb(walBytes)} kB of its write-ahead log. Measured with checks of the URL only on ${cores} cores that`,
    `also ran the load generator (${checks.toLocaleString('en')} checks by \`bun run bench --fleet\`, ${figures.measuredAt.slice(0, 10)}, PostgreSQL ${figures.postgresVersion}).`,
    'Plan for at most 50 % load of each, and one spare node. Calculated from these figures, not measured:',
    '',
    ...sizes(two, diskBytes, walBytes),
  ].join('\n');
}

/** Nodes of one process, one of which is spare. */
const FLEETS = [2, 3, 8, 16];
const BUSY = 0.5;
const CONNECTIONS_PER_NODE = 6;
const DAY_SECONDS = 86_400;

/** Returns a table of the capacity and cost of several fleet sizes. */
function sizes({ nodeMicroseconds, ...micros }: NodesFigures, diskBytes: number, walBytes: number): string[] {
  const rows = FLEETS.map((nodes) => {
    const perSecond = Math.floor(((nodes - 1) * BUSY * SECOND_US) / nodeMicroseconds / 100) * 100;
    const cores = (us: number) => ((perSecond * us) / SECOND_US).toFixed(2);
    const perDay = (bytes: number) => `${Math.round((perSecond * bytes * DAY_SECONDS) / 1e9).toLocaleString('en')} GB`;
    const servers = [cores(micros.postgresMicroseconds), cores(micros.redisMicroseconds)];
    const cells = [nodes, perSecond.toLocaleString('en'), CONNECTIONS_PER_NODE * nodes, ...servers];
    return `| ${[...cells, perDay(diskBytes), perDay(walBytes)].join(' | ')} |`;
  });
  return [
    '| nodes, one spare | checks/s | PostgreSQL connections | its cores | Redis cores | disk per day | write-ahead log per day |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ];
}

const tens = (value: number): string => (Math.round(value / 10) * 10).toLocaleString('en');
