import type { FleetFigures } from './fleet-figures.ts';

const RATES = [1000, 10_000, 100_000];
const DAY_SECONDS = 86_400;
const YEAR_DAYS = 365;
/** Load that is planned for, as in the manual. */
const BUSY = 0.5;
const CONNECTIONS_PER_NODE = 6;
/** Cores of one server of PostgreSQL, and what its disk holds. */
const SERVER_CORES = 16;
const SERVER_BYTES = 20e12;

/** Returns what a year of checks takes at several rates, calculated from the last row of the figures, as Markdown. */
export function scaleText({ rows, diskBytes, indexBytes, walBytes, measuredAt }: FleetFigures): string {
  const ordinary = rows.at(-1);
  if (ordinary === undefined) throw new Error('nothing was measured');
  const columns = RATES.map((rate) => {
    const perDay = rate * DAY_SECONDS;
    const nodes = Math.ceil((rate * ordinary.nodeMicroseconds) / 1e6 / BUSY) + 1;
    const cores = (rate * ordinary.postgresMicroseconds) / 1e6 / BUSY;
    const servers = Math.ceil(cores / SERVER_CORES);
    const days = Math.floor((SERVER_BYTES * servers) / (perDay * diskBytes));
    return [
      `${rate.toLocaleString('en')}/s`,
      `${((perDay * YEAR_DAYS) / 1e9).toLocaleString('en', { maximumFractionDigits: 0 })} billion`,
      String(nodes),
      String(nodes * CONNECTIONS_PER_NODE),
      `${cores.toFixed(1)}, on ${servers} ${servers === 1 ? 'server' : 'servers'}`,
      String(Math.ceil((rate * ordinary.redisMicroseconds) / 1e6 / BUSY)),
      bytes(perDay * diskBytes),
      bytes(perDay * indexBytes),
      bytes(perDay * diskBytes * YEAR_DAYS),
      String(Math.min(YEAR_DAYS, days)),
      `${bytes(rate * walBytes)}/s`,
      bytes(perDay * walBytes * 7),
    ];
  });
  const names = [
    'rate',
    'checks in a year',
    'nodes of one process, one spare',
    'connections to PostgreSQL',
    'its cores at 50 % load',
    'Redis shards at 50 % load of a core',
    'a partition (one day)',
    'of it indexes',
    '365 partitions',
    `days that fit on ${bytes(SERVER_BYTES)} per server`,
    'write-ahead log',
    'archived log between two weekly base backups',
  ];
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const [heads = [], ...rest] = names.map((name, at) => [name, ...columns.map((column) => column[at] ?? '')]);
  return [
    row(heads),
    row(heads.map(() => '---')),
    ...rest.map(row),
    '',
    `Calculated from ${Math.round(diskBytes)} B on disk, ${Math.round(indexBytes)} B of it indexes, and ${Math.round(walBytes)} B of write-ahead log per check, measured on ${measuredAt.slice(0, 10)} by \`bun run bench --fleet\` with checks of the URL only.`,
  ].join('\n');
}

function bytes(value: number): string {
  const [unit, size] =
    value >= 1e15 ? ['PB', 1e15] : value >= 1e12 ? ['TB', 1e12] : value >= 1e9 ? ['GB', 1e9] : ['MB', 1e6];
  return `${(value / Number(size)).toLocaleString('en', { maximumSignificantDigits: 3 })} ${unit}`;
}
