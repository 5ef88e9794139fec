import type { Stats } from '#src/record/stats.ts';
import { freeDiskPercent } from './disk-space.ts';
import type { LogFile } from './log-file.ts';

/** What the public checks add up to at `nowMs`. */
export function readStats(_log: LogFile, dataDir: string, _nowMs: number): Stats {
  return {
    hours: [],
    days: [],
    probabilities: [],
    blocked_sites: [],
    blocked_suffixes: [],
    answer_seconds: { p50: null, p90: null, p99: null, histogram: [] },
    disk_free_percent: freeDiskPercent(dataDir),
  };
}
