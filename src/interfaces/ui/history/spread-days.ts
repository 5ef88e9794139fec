import type { Stats } from '#src/checks/record/stats.ts';

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
