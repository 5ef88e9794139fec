import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Clock, DAY_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { runEvery } from './run-every.ts';

/** Interval between two examinations of the logs. */
const EXAMINE_EVERY_MS = 7 * DAY_MS;

/** Interval at which an examination may be due, or another process may have found damage. */
const LOOK_EVERY_MS = 10_000;

/** Dependencies of {@link startExaminations}. */
export interface Examinations {
  readonly dataDir: string;
  /** True if the last run did not end well: the logs are examined after `delayMs`. */
  readonly isDue: boolean;
  readonly delayMs: number;
  /** Examines both logs. */
  readonly examine: () => Promise<void>;
  /** Replaces a log that another process, or an earlier attempt, found damaged. */
  readonly mend: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Examines the logs each week and after an unclean stop, until it is disposed of. */
export function startExaminations(parts: Examinations): Disposable {
  const { dataDir, isDue, delayMs, examine, mend, clock, logger } = parts;
  const path = `${dataDir}/examined.clock`;
  const onFailure = (error: unknown) => logger.warn('log.check_failed', { error });
  if (!existsSync(path)) save();

  function save(): void {
    try {
      writeFileSync(path, `${new Date(clock.now()).toISOString()}\n`, { mode: 0o600 });
    } catch (error) {
      onFailure(error);
    }
  }

  async function examineNow(): Promise<void> {
    // Saved first: an examination that ends the process must not begin each start.
    save();
    await examine();
  }

  const timer = isDue ? setTimeout(() => void examineNow().catch(onFailure), delayMs).unref() : null;
  const look = runEvery(
    LOOK_EVERY_MS,
    async () => {
      mend();
      const lastMs = existsSync(path) ? Date.parse(readFileSync(path, 'utf8').trim()) : 0;
      // A clock that jumped ahead and back again must not put it off.
      if (Math.abs(clock.now() - (lastMs || 0)) >= EXAMINE_EVERY_MS) await examineNow();
    },
    onFailure,
  );
  return {
    [Symbol.dispose]() {
      if (timer) clearTimeout(timer);
      look[Symbol.dispose]();
    },
  };
}
