import { FIGURES, type Figure } from './figures.ts';
import { quotients } from './ratio.ts';
import type { Samples } from './samples.ts';
import { ENOUGH_ROUNDS, type Spread, spreadOf } from './statistics.ts';
import { entriesOf, spreadText, tableOf } from './table.ts';

/** This checkout beside another commit, as Markdown: in pairs, so that what both suffered cancels out. */
export function comparisonTable(samples: Samples, otherName: string): string {
  const rows = entriesOf(FIGURES).flatMap(([name, figure]) => {
    const { own, other } = samples[name] ?? {};
    if (!own || !other) return [];
    const ratio = spreadOf(quotients(own, other));
    return [
      [
        `${figure.what}, ${figure.unit}`,
        spreadText(spreadOf(own)),
        spreadText(spreadOf(other)),
        spreadText(ratio),
        verdictOf(figure, ratio, own.length),
      ],
    ];
  });
  return tableOf(['', 'here', otherName, 'here over there, in pairs', ''], rows).join('\n');
}

/** What a ratio of two commits shows; a difference is one where the whole interval lies on one side of 1. */
export function verdictOf(
  { isMoreBetter }: Pick<Figure, 'isMoreBetter'>,
  { low, high }: Spread,
  pairs: number,
): 'better' | 'worse' | 'no difference shown' | 'too few pairs' {
  if (pairs < ENOUGH_ROUNDS) return 'too few pairs';
  if (low <= 1 && high >= 1) return 'no difference shown';
  return low > 1 === isMoreBetter ? 'better' : 'worse';
}
