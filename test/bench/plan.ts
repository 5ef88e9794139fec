/** How much the bench measures. */
export interface Plan {
  /** How often each subject has its turn. */
  readonly rounds: number;
  /** Checks before any of them counts: until then, the compiler is still at work. */
  readonly warmUps: number;
  /** Checks in a round. */
  readonly requests: number;
  /** How long a round of the open loop takes. */
  readonly openSeconds: number;
  /** What a service has been asked at least before its memory, its history and its files are looked at. */
  readonly checks: number;
  /** Lines of the longest list for `check -`; the others have a tenth and a fifth of them. */
  readonly lines: number;
}

/** What the README's figures were measured with. */
export const FULL_PLAN: Plan = {
  rounds: 7,
  warmUps: 20_000,
  requests: 5000,
  openSeconds: 5,
  checks: 100_000,
  lines: 200_000,
};

/** What is measured by itself, in the order in which it is; `log` is what the checks have left behind. */
export const MEASURES = ['start', 'pipe', 'network', 'requests', 'delays', 'slow-disk', 'log', 'lists'] as const;

export type Measure = (typeof MEASURES)[number];

/** Those that were named, all where none was. Throws a RangeError for a name that is none. */
export function measuresOf(named: readonly string[] | undefined): ReadonlySet<Measure> {
  return new Set((named ?? MEASURES).map(measureOf));
}

function measureOf(name: string): Measure {
  const measure = MEASURES.find((known) => known === name);
  if (measure === undefined) throw new RangeError(`--only ${name}: choose of ${MEASURES.join(', ')}`);
  return measure;
}

/** How a plan is written on the command line. */
export const PLAN_OPTIONS = {
  rounds: { type: 'string' },
  warmUps: { type: 'string' },
  requests: { type: 'string' },
  openSeconds: { type: 'string' },
  checks: { type: 'string' },
  lines: { type: 'string' },
} as const satisfies Record<keyof Plan, { type: 'string' }>;

/** The full plan, but for what the command line says. Throws a RangeError for what is no number above 0. */
export function planOf(options: Readonly<Partial<Record<keyof Plan, string | undefined>>>): Plan {
  const chosen = (key: keyof Plan) => {
    const value = Number(options[key] ?? FULL_PLAN[key]);
    if (!(value > 0)) throw new RangeError(`--${key} ${options[key]}: not a number above 0`);
    return value;
  };
  return {
    rounds: chosen('rounds'),
    warmUps: chosen('warmUps'),
    requests: chosen('requests'),
    openSeconds: chosen('openSeconds'),
    checks: chosen('checks'),
    lines: chosen('lines'),
  };
}
