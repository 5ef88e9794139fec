/** Reference that is measured in the same rounds: a server without logic, or the program doing less. */
export interface Reference {
  readonly name: string;
  /** `share`: the program's speed as a share of the reference's; `times`: the program's figure as a multiple of it. */
  readonly ratio: 'share' | 'times';
}

/** Target of a figure or ratio. */
export interface Aim {
  readonly of: 'figure' | 'ratio';
  readonly least?: number;
  readonly most?: number;
}

/** One figure that the bench measures. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly isMoreBetter: boolean;
  readonly reference?: Reference;
  readonly aim?: Aim;
}

const bareShare: Reference = { name: 'bare `Bun.serve`', ratio: 'share' };
const stringifyTimes: Reference = { name: '`JSON.stringify` of its answer', ratio: 'times' };
const bareTimes: Reference = { name: 'bare `Bun.serve`', ratio: 'times' };

const plainLookups: Reference = { name: 'the same handshakes, queries and GETs, made plainly', ratio: 'times' };

const micros = { unit: 'µs', isMoreBetter: false } as const;
const millis = { unit: 'ms', isMoreBetter: false } as const;
const mebibytes = { unit: 'MiB', isMoreBetter: false } as const;
const perSecond = { unit: '/s', isMoreBetter: true } as const;

const pipeOf = (lines: number): string =>
  `\`check -\` of ${lines.toLocaleString('en')} lines, URLs per second of processor time, start included`;

const pacedOf = (rate: number): Figure => ({
  ...micros,
  what: `processor time per check at ${rate}/s`,
  reference: { name: 'over 64 connections', ratio: 'times' },
});

const historyPage = (page: string): Figure => ({
  ...millis,
  what: `processor time of ${page}, after all checks`,
  aim: { of: 'figure', most: 20 },
});

/** Everything that `bun run bench` measures, in the order of its table. */
export const FIGURES = {
  chain: {
    ...micros,
    what: 'processor time of a check without network, HTTP and log',
    reference: stringifyTimes,
    aim: { of: 'ratio', most: 14 },
  },
  served: {
    ...micros,
    what: 'processor time of a served check, over 64 connections',
    reference: stringifyTimes,
    aim: { of: 'ratio', most: 33 },
  },
  shell: { ...micros, what: 'of that, HTTP and what is not below' },
  assess: { ...micros, what: 'of that, observe and assess' },
  describe: { ...micros, what: 'of that, describe, mask and write the answer' },
  pack: { ...micros, what: 'of that, pack the record' },
  store: { ...micros, what: 'of that, store it and log a line' },
  request: { ...micros, what: 'processor time of a served check', reference: bareShare },
  servingThread: { ...micros, what: 'of that, on the serving thread', reference: bareShare },
  batch: {
    ...micros,
    what: 'processor time of a URL in a batch of 100',
    reference: { name: 'a request of its own', ratio: 'times' },
    aim: { of: 'ratio', most: 1 },
  },
  batchWall: {
    ...micros,
    what: 'time of a URL in a batch of 100',
    reference: { name: 'a request of its own', ratio: 'times' },
    aim: { of: 'ratio', most: 1 },
  },
  throughput: { ...perSecond, what: 'checks/s over 64 connections', reference: bareShare },
  pacedOne: pacedOf(1),
  pacedTen: { ...pacedOf(10), aim: { of: 'ratio', most: 3 } },
  pacedHundred: pacedOf(100),
  paced: {
    ...micros,
    what: 'processor time per check at 1,000 checks/s',
    reference: bareShare,
    aim: { of: 'figure', most: 450 },
  },
  p50: { ...millis, what: 'p50 at 1,000 checks/s', reference: bareTimes, aim: { of: 'figure', most: 2.1 } },
  p99: { ...millis, what: 'p99 at 1,000 checks/s', reference: bareTimes, aim: { of: 'figure', most: 4 } },
  p999: { ...millis, what: 'p99.9 at 1,000 checks/s', reference: bareTimes, aim: { of: 'figure', most: 8 } },
  longestStep: {
    ...millis,
    what: 'the longest `/livez` meanwhile: no step of the serving thread took longer',
    aim: { of: 'figure', most: 10 },
  },
  slowDiskP50: {
    ...millis,
    what: 'p50 at 200 checks/s, on a disk whose sync takes 5 ms',
    reference: { name: 'a sync', ratio: 'times' },
    aim: { of: 'ratio', most: 1.6 },
  },
  slowestDiskP99: {
    ...millis,
    what: 'p99 at 1,000 checks/s, on a disk whose sync takes 20 ms',
    aim: { of: 'figure', most: 80 },
  },
  slowestDiskLive: {
    ...millis,
    what: '`/livez` meanwhile, p90',
    aim: { of: 'figure', most: 10 },
  },
  slowestDiskLongest: {
    ...millis,
    what: '`/livez` meanwhile, the longest',
    aim: { of: 'figure', most: 20 },
  },
  pipeShort: { ...perSecond, what: pipeOf(20_000), aim: { of: 'figure', least: 8000 } },
  pipeMedium: { ...perSecond, what: pipeOf(40_000), aim: { of: 'figure', least: 11_000 } },
  pipeLong: { ...perSecond, what: pipeOf(200_000), aim: { of: 'figure', least: 16_500 } },
  pipeRecorded: {
    ...perSecond,
    what: '`check - --record public` of 100,000 lines, URLs per second of processor time',
    aim: { of: 'figure', least: 6000 },
  },
  pipeOnAll: { ...perSecond, what: '`check -` of 200,000 lines, URLs per second' },
  start: {
    ...millis,
    what: 'first answer of a cold start',
    reference: { name: '`version`', ratio: 'times' },
    aim: { of: 'ratio', most: 3 },
  },
  checkOne: {
    ...millis,
    what: '`check URL` without network',
    reference: { name: '`version`', ratio: 'times' },
    aim: { of: 'ratio', most: 2 },
  },
  networkFirst: {
    ...millis,
    what: 'processor time of a check with the network of the laboratory, the first 50',
    reference: plainLookups,
    aim: { of: 'ratio', most: 4.5 },
  },
  network: {
    ...millis,
    what: 'the same after 300 checks',
    reference: plainLookups,
    aim: { of: 'ratio', most: 2.5 },
  },
  memoryAtFirst: { ...mebibytes, what: 'RSS after the first check' },
  memory: { ...mebibytes, what: 'RSS under load, in the second half of all checks', aim: { of: 'figure', most: 140 } },
  indexCommit: {
    ...millis,
    what: 'processor time of a commit of 64 checks that completes a block of the index',
    aim: { of: 'figure', most: 2 },
  },
  disk: { unit: 'B', isMoreBetter: false, what: 'disk space per check', aim: { of: 'figure', most: 300 } },
  historyPage: historyPage('a page of the history'),
  historyRare: historyPage('a page of a rare domain'),
  historyCommon: historyPage('a page of a common domain'),
  overview: historyPage('the overview'),
  // 60 MB.
  listsMemory: { ...mebibytes, what: 'memory of a list of a million entries', aim: { of: 'figure', most: 57.2 } },
  listsLoad: { ...millis, what: 'processor time to load it', aim: { of: 'figure', most: 2000 } },
  listsFind: { ...micros, what: 'processor time of a lookup in it', aim: { of: 'figure', most: 2 } },
} as const satisfies Record<string, Figure>;

export type FigureName = keyof typeof FIGURES;

/** Whether there is such a figure. */
export const isFigureName = (name: string): name is FigureName => Object.hasOwn(FIGURES, name);
