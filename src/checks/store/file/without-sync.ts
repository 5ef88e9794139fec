import type { LogFile } from './log-file.ts';

/** Runs transactions whose loss in a power failure does no harm, because they are repeated, or synced before they count. */
export function withoutSync<T>({ database }: Pick<LogFile, 'database'>, work: () => T): T {
  database.run('pragma synchronous = normal');
  try {
    return work();
  } finally {
    database.run('pragma synchronous = full');
  }
}
