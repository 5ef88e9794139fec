import type { Stats } from '#src/checks/record/stats.ts';
import type { RouteFilter } from '../shell/route.ts';

const DAY_MS = 86_400_000;

/** More columns cannot be distinguished. */
const MAX_COLUMNS = 62;

/** Returns consecutive days, including empty ones, and merges days if there are too many. */
export function spreadDays(days: Stats['days']): Stats['days'] {
  const counted = days.map((day) => ({ ...day, startMs: Date.parse(day.start) }));
  const firstMs = counted[0]?.startMs;
  const lastMs = counted.at(-1)?.startMs;
  if (firstMs === undefined || lastMs === undefined) return [];
  const count = Math.round((lastMs - firstMs) / DAY_MS) + 1;
  const daysAColumn = Math.ceil(count / MAX_COLUMNS);
  const columns = Array.from({ length: Math.ceil(count / daysAColumn) }, (_, i) => ({
    start: new Date(firstMs + i * daysAColumn * DAY_MS).toISOString(),
    allow: 0,
    warn: 0,
    block: 0,
  }));
  for (const { startMs, allow, warn, block } of counted) {
    const column = columns[Math.floor((startMs - firstMs) / DAY_MS / daysAColumn)];
    if (!column) continue;
    column.allow += allow;
    column.warn += warn;
    column.block += block;
  }
  return columns;
}

/** Filters of the history, as in its address. */
export const FILTERS = ['q', 'domain', 'decision', 'from', 'until'] as const;

/** The same in the console. */
export const CONSOLE_FILTERS = [...FILTERS, 'coverage', 'via', 'list', 'entry', 'reason'] as const;

export type HistoryFilter = Partial<Readonly<Record<(typeof CONSOLE_FILTERS)[number], string>>>;

/** Days that a date input may name: four-digit years alone, as ISO 8601 has them. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The filters that an address names; others, and empty ones, are left out. */
export function filterIn(route: RouteFilter, names: readonly string[] = FILTERS): HistoryFilter {
  return Object.fromEntries(names.flatMap((name) => (route[name] ? [[name, route[name]]] : [])));
}

/** The parameters of the operation. A day is one of the reader's time zone, and the last one is meant whole. */
export function queryOf({ from, until, ...rest }: HistoryFilter): Readonly<Record<string, string>> {
  return {
    ...rest,
    ...(from !== undefined && { from: momentOf(from, 0) }),
    ...(until !== undefined && { until: momentOf(until, 1) }),
  };
}

/** The instant at which a day of the reader's time zone begins, some days later; what is no day stays as it is. */
function momentOf(text: string, daysLater: number): string {
  if (!DAY.test(text)) return text;
  const start = new Date(`${text}T00:00:00`);
  if (Number.isNaN(start.getTime())) return text;
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}
