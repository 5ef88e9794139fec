import { type Aim, FIGURES, type Figure, type FigureName } from './figures.ts';
import type { BenchReport } from './report.ts';
import { ENOUGH_ROUNDS, type Spread } from './statistics.ts';

/** Returns a report as Markdown: each figure, its reference, and whether its target is met. */
export function reportTable({ figures, ...report }: BenchReport): string {
  const rows = entriesOf(FIGURES).flatMap(([name, figure]) => {
    const measured = figures[name];
    if (!measured) return [];
    const { own, reference, ratio } = measured;
    const { name: beside = '' } = figure.reference ?? {};
    return [
      [
        figure.what,
        withUnit(own, figure.unit),
        reference ? `${withUnit(reference, figure.unit)} ${beside}` : '',
        ratio ? spreadText(ratio) : '',
        figure.aim ? aimText(figure, figure.aim, figure.aim.of === 'ratio' ? ratio : own) : '',
      ],
    ];
  });
  return [...tableOf(['figure', 'lurecheck', 'reference', 'ratio', 'target'], rows), '', describeRun(report)].join(
    '\n',
  );
}

/** Returns sentences on when, where and how often was measured. */
export function describeRun(report: Omit<BenchReport, 'figures'>): string {
  const { measuredAt, commit, isChanged, machine, loadAverage, checks, rounds, warmUps } = report;
  const [before, after] = [rounded(loadAverage.before), rounded(loadAverage.after)];
  const bounds = rounds < ENOUGH_ROUNDS ? 'minimum and maximum' : 'the 95 % confidence interval of the median';
  return [
    `Measured on ${measuredAt.slice(0, 16).replace('T', ' at ')} UTC at ${commit}${isChanged ? ' with changes to it' : ''}, with ${machine.runtime} on`,
    `${machine.cores} cores (${machine.processor}, ${rounded(machine.memoryGib)} GiB). The load average was ${before} before and ${after} at the end; above`,
    `${machine.cores}, other programs slowed every figure. ${count(checks)} checks in all, the first ${count(warmUps)} to warm up.`,
    `Medians of ${rounds} interleaved rounds; in brackets ${bounds}.`,
  ].join('\n');
}

/** Lines of a Markdown table. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)];
}

/** Returns a median with its interval, if it has one. */
export function spreadText({ median, low, high }: Spread): string {
  return low === high ? rounded(median) : `${rounded(median)} (${rounded(low)}–${rounded(high)})`;
}

/** The names of a table with their rows. */
export function entriesOf(figures: Readonly<Record<FigureName, Figure>>): [FigureName, Figure][] {
  return Object.entries(figures) as [FigureName, Figure][];
}

function withUnit(spread: Spread, unit: string): string {
  return `${spreadText(spread)}${unit === '/s' ? '/s' : ` ${unit}`}`;
}

function aimText(figure: Figure, { of, least, most }: Aim, measured: Spread | undefined): string {
  const unit = of === 'ratio' ? '' : figure.unit === '/s' ? '/s' : ` ${figure.unit}`;
  const bound = least === undefined ? `at most ${rounded(most ?? 0)}${unit}` : `at least ${rounded(least)}${unit}`;
  if (!measured) return bound;
  const isMet = measured.median >= (least ?? 0) && measured.median <= (most ?? Number.POSITIVE_INFINITY);
  return `${bound}: ${isMet ? 'met' : 'missed'}`;
}

const count = (value: number) => value.toLocaleString('en');

/** Rounds to three significant digits. */
function rounded(value: number): string {
  return value >= 100 ? count(Math.round(value)) : Number(value.toPrecision(value < 1 ? 2 : 3)).toString();
}
