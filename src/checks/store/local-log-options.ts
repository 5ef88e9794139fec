import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';

/**
 * Use of the data directory. `serve` holds its lock; `append` writes beside a server; `read` needs existing logs,
 * changes no check, and may request deletions.
 */
export type LogAccess = 'serve' | 'append' | 'read';

export interface LocalLogOptions {
  readonly dataDir: string;
  /** Key for client hashes; by default one in the data directory. */
  readonly clientKey?: Buffer | null;
  readonly access: LogAccess;
  /** Least time between two commits, in milliseconds; default 0. */
  readonly commitIntervalMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the request ids of checks once they are removed. */
  readonly onRemoved?: ((visibility: Visibility, requestIds: readonly string[]) => void) | undefined;
  /** Free disk space below which checks are refused; default 8 MiB. */
  readonly reserveBytes?: number;
  /** Delay of the damage check after an unclean stop; default 2 s. */
  readonly quickCheckDelayMs?: number;
}
