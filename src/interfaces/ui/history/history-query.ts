import type { RouteFilter } from '../shell/route.ts';

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
