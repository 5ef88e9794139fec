import type { Mutant } from './mutants.ts';

/** Whether a run of tests may have executed a mutated place. */
export type Executed = (mutant: Pick<Mutant, 'path' | 'line' | 'before'>) => boolean;

/**
 * Reads an lcov report of a run without mutants. Sources that the report does not name may have run in threads or processes,
 * and lines without a count belong to statements that have one elsewhere: both count as executed. So does everything without
 * a report.
 */
export async function readExecuted(report: string): Promise<Executed> {
  const counts = new Map<string, Map<number, number>>();
  const file = Bun.file(report);
  for (const part of (await file.exists()) ? (await file.text()).split('end_of_record') : []) {
    const path = /^SF:(.+)$/m.exec(part)?.[1];
    if (path === undefined) continue;
    const lines = [...part.matchAll(/^DA:(\d+),(\d+)$/gm)];
    counts.set(path, new Map(lines.map(([, line, count]) => [Number(line), Number(count)])));
  }
  return ({ path, line, before }) => {
    const height = before.split('\n').length;
    const known = Array.from({ length: height }, (_, at) => counts.get(path)?.get(line + at));
    return known.some((count) => count === undefined || count > 0);
  };
}
