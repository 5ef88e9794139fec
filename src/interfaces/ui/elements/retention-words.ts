import type { RetentionBounds } from '#src/checks/record/stats.ts';
import type { Locale } from '../shell/locale.ts';

/** The bounds within which checks stay, in one sentence; empty without any. */
export function retentionWords({ days, bytes, rows }: RetentionBounds, { say, format }: Locale): string {
  const bounds = [
    ...(days === null ? [] : [format.days(days)]),
    ...(bytes === null ? [] : [format.bytes(bytes)]),
    ...(rows === null ? [] : [say('phrase.labelled', { label: say('chart.checks'), value: format.number(rows) })]),
  ];
  return bounds.length === 0 ? '' : say('overview.kept', { bounds: format.list(bounds) });
}
