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
const bareTimes: Reference = { name: 'bare `Bun.serve`', ratio: 'times' };

const micros = { unit: 'µs', isMoreBetter: false } as const;
const millis = { unit: 'ms', isMoreBetter: false } as const;
const mebibytes = { unit: 'MiB', isMoreBetter: false } as const;
const perSecond = { unit: '/s', isMoreBetter: true } as const;

const pipeOf = (lines: number): string =>
  `\`check -\` of ${lines.toLocaleString('en')} lines, URLs per second of processor time, start included`;

const historyPage = (page: string): Figure => ({
  ...millis,
  what: `processor time of ${page}, after all checks`,
  aim: { of: 'figure', most: 20 },
});

/** Everything that `bun run bench` measures, in the order of its table. */
export const FIGURES = {
  request: {
    ...micros,
    what: 'processor time per check of an ordinary URL',
    reference: bareShare,
    aim: { of: 'ratio', least: 0.12 },
  },
  servingThread: { ...micros, what: 'of that, on the serving thread', reference: bareShare },
  simpleRequest: {
    ...micros,
    what: 'processor time per check of a simple URL',
    reference: bareShare,
    aim: { of: 'ratio', least: 0.15 },
  },
  throughput: { ...perSecond, what: 'checks/s over 64 connections', reference: bareShare },
  paced: {
    ...micros,
    what: 'processor time per check at 1,000 checks/s',
    reference: bareShare,
    aim: { of: 'figure', most: 450 },
  },
  p50: { ...millis, what: 'p50 at 1,000 checks/s', reference: bareTimes, aim: { of: 'figure', most: 2.1 } },
  p99: { ...millis, what: 'p99 at 1,000 checks/s', reference: bareTimes, aim: { of: 'figure', most: 4 } },
  p999: { ...millis, what: 'p99.9 at 1,000 checks/s', reference: bareTimes, aim: { of: 'figure', most: 8 } },
  pipeShort: { ...perSecond, what: pipeOf(20_000), aim: { of: 'figure', least: 8000 } },
  pipeMedium: { ...perSecond, what: pipeOf(40_000), aim: { of: 'figure', least: 11_000 } },
  pipeLong: { ...perSecond, what: pipeOf(200_000), aim: { of: 'figure', least: 16_500 } },
  pipeOnAll: { ...perSecond, what: '`check -` of 200,000 lines, URLs per second' },
  start: {
    ...millis,
    what: 'first answer of a cold start',
    reference: { name: '`version`', ratio: 'times' },
    aim: { of: 'ratio', most: 4 },
  },
  memoryAtFirst: { ...mebibytes, what: 'RSS after the first check' },
  memory: { ...mebibytes, what: 'RSS under load, in the second half of all checks', aim: { of: 'figure', most: 150 } },
  indexCommit: {
    ...millis,
    what: 'processor time of a commit of 64 checks that completes a block of the index',
    aim: { of: 'figure', most: 2 },
  },
  disk: { unit: 'B', isMoreBetter: false, what: 'disk space per check', aim: { of: 'figure', most: 700 } },
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
