/** What a figure is measured beside, in the same rounds: a server that does nothing, or the program doing less. */
export interface Reference {
  readonly name: string;
  /** `share`: how fast the program is, as a share of it; `times`: the program's figure as a multiple of its. */
  readonly ratio: 'share' | 'times';
}

/** What the program is held to. */
export interface Aim {
  readonly of: 'figure' | 'ratio';
  readonly least?: number;
  readonly most?: number;
}

/** One thing that the bench measures. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  /** Whether more of it is better; otherwise less is. */
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

const historyPage = (page: string): Figure => ({
  ...millis,
  what: `processor time of ${page}, after all checks`,
  aim: { of: 'figure', most: 20 },
});

/** Everything that `bun run bench` measures, in the order of its table. */
export const FIGURES = {
  request: {
    ...micros,
    what: 'processor time a check',
    reference: bareShare,
    aim: { of: 'ratio', least: 0.22 },
  },
  servingThread: { ...micros, what: 'of that, on the thread that answers', reference: bareShare },
  throughput: { ...perSecond, what: 'checks a second over 64 connections', reference: bareShare },
  p50: { ...millis, what: 'p50 at 1,000 checks a second', reference: bareTimes },
  p99: { ...millis, what: 'p99 at 1,000 checks a second', reference: bareTimes, aim: { of: 'figure', most: 5 } },
  p999: { ...millis, what: 'p99.9 at 1,000 checks a second', reference: bareTimes },
  pipeStart: { ...perSecond, what: '`check -`, URLs a second of processor time, until warm, its start included' },
  pipe: {
    ...perSecond,
    what: '`check -`, URLs a second of processor time, from then on',
    aim: { of: 'figure', least: 12_000 },
  },
  pipeOnAllStart: { ...perSecond, what: '`check -`, URLs a second, until warm, its start included' },
  pipeOnAll: {
    ...perSecond,
    what: '`check -`, URLs a second, from then on',
    aim: { of: 'figure', least: 20_000 },
  },
  start: {
    ...millis,
    what: 'first answer of a cold start',
    reference: { name: '`version`', ratio: 'times' },
    aim: { of: 'ratio', most: 2.5 },
  },
  memoryAtFirst: { ...mebibytes, what: 'RSS after the first check' },
  memory: { ...mebibytes, what: 'RSS after all checks', aim: { of: 'figure', most: 150 } },
  disk: { unit: 'B', isMoreBetter: false, what: 'bytes a check on disk', aim: { of: 'figure', most: 700 } },
  historyPage: historyPage('a page of the history'),
  historyRare: historyPage('a page of a rare domain'),
  historyCommon: historyPage('a page of a common domain'),
  overview: historyPage('the overview'),
  // 60 MB.
  listsMemory: { ...mebibytes, what: 'memory of a list of a million entries', aim: { of: 'figure', most: 57.2 } },
  listsLoad: { ...millis, what: 'processor time to load it', aim: { of: 'figure', most: 2000 } },
  listsFind: { ...micros, what: 'processor time of a look-up in it', aim: { of: 'figure', most: 2 } },
} as const satisfies Record<string, Figure>;

export type FigureName = keyof typeof FIGURES;

/** Whether there is such a figure. */
export const isFigureName = (name: string): name is FigureName => Object.hasOwn(FIGURES, name);
