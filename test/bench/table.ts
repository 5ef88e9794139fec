import { type Aim, FIGURES, type Figure, type FigureName } from './figures.ts';
import type { BenchReport } from './report.ts';
import { ENOUGH_ROUNDS, type Spread } from './statistics.ts';

/** A report as Markdown: what was measured beside what, and whether the aims are met. */
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
  return [...tableOf(['', 'lurecheck', 'beside', 'ratio', 'aim'], rows), '', describe(report)].join('\n');
}

function describe(report: Omit<BenchReport, 'figures'>): string {
  const { measuredAt, commit, isChanged, machine, loadAverage, checks, rounds, warmUps } = report;
  const [before, after] = [rounded(loadAverage.before), rounded(loadAverage.after)];
  const bounds =
    rounds < ENOUGH_ROUNDS ? 'the least and the most' : 'what the median of 95 in 100 such runs lies between';
  return [
    `Measured on ${measuredAt.slice(0, 16).replace('T', ' at ')} UTC at ${commit}${isChanged ? ' with changes to it' : ''}, with ${machine.runtime} on`,
    `${machine.cores} cores (${machine.processor}, ${rounded(machine.memoryGib)} GiB). The load average was ${before} before and ${after} at the end; more than the`,
    `${machine.cores} cores can do is other people’s work, and lengthens every figure. ${count(checks)} checks in all, the first ${count(warmUps)} to`,
    `warm up; medians of ${rounds} rounds in which all take turns, and in brackets ${bounds}.`,
  ].join('\n');
}

/** Lines of a Markdown table. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)];
}

/** A median with its interval, where it has one. */
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

/** Three digits that mean something, and no more behind the point than that takes. */
function rounded(value: number): string {
  return value >= 100 ? count(Math.round(value)) : Number(value.toPrecision(value < 1 ? 2 : 3)).toString();
}
