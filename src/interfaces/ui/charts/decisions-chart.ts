import type { Stats } from '#src/checks/record/stats.ts';
import type { Locale } from '../shell/locale.ts';
import { hrefOf, type RouteFilter } from '../shell/route.ts';
import { columnChart } from './column-chart.ts';

const KINDS = ['allow', 'warn', 'block'] as const;

/** Checks by verdict over time, a column for each hour or day, which leads to its checks among those of `filter`. */
export function decisionsChart(
  periods: Stats['days'],
  unit: 'hour' | 'day',
  { say, format }: Locale,
  filter: RouteFilter = {},
): HTMLElement {
  const total = periods.reduce((sum, { allow, warn, block }) => sum + allow + warn + block, 0);
  const name = unit === 'hour' ? format.hour : format.day;
  const labelled = KINDS.map((kind) => ({ kind, label: say(`decision.${kind}.short`) }));
  const last = periods.length - 1;
  // Of few columns, some are the first, the middle and the last at once.
  const named = [...new Set([0, Math.ceil(last / 2), last])];
  return columnChart(
    {
      label: say('phrase.labelled', { label: say('overview.checks'), value: say.count('chart.total', total) }),
      columns: periods.map((period, i) => ({
        href: hrefOf('history', {
          ...filter,
          from: period.start,
          until: periods[i + 1]?.start ?? endOf(period.start, unit),
        }),
        names: [name(period.start)],
        parts: KINDS.map((kind) => ({ kind, value: period[kind] })),
      })),
      axis: named.flatMap((at) => periods[at] ?? []).map((period) => name(period.start)),
      headings: [say('chart.time'), ...labelled.map(({ label }) => label)],
      legend: labelled,
    },
    { say, format },
  );
}

/** Returns the end of an hour or a day. */
function endOf(start: string, unit: 'hour' | 'day'): string {
  return new Date(Date.parse(start) + (unit === 'hour' ? 3_600_000 : 86_400_000)).toISOString();
}
