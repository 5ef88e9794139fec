import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { DAY_MS } from '#src/core/base/clock.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { isDamage } from './file/fault.ts';
import type { LogFile } from './file/log-file.ts';
import { clearDamage, isDamageNoted, noteDamage } from './ledger/notices.ts';
import type { LocalLogOptions, OpenFiles } from './open-files.ts';
import { createRecoveries } from './recovery/recoveries.ts';
import type { Maintenance } from './upkeep/maintenance.ts';
import { runEvery } from './upkeep/run-every.ts';

/** Delay of the examination after an unclean stop, so that the service answers first. */
const QUICK_CHECK_DELAY_MS = 2000;

/** Interval between two examinations of the logs. */
const EXAMINE_EVERY_MS = 7 * DAY_MS;

/** Interval at which an examination may be due, or another process may have found damage. */
const LOOK_EVERY_MS = 10_000;

/** Finds damage in the files of the logs. The service replaces a damaged file; other processes leave that to it. */
export interface Repair extends AsyncDisposable {
  /** Called when a reader or a writer meets damage; ignored for a file that is replaced already. */
  damaged(log: LogFile, problem: string): void;
  /** Reads one log, and reports damage that the reader meets. */
  watching<T>(visibility: Visibility, read: () => AsyncIterable<T>): AsyncGenerator<T>;
  /** Does the same for one answer. */
  watched<T>(visibility: Visibility, read: () => Promise<T>): Promise<T>;
  /** See `LocalLog.examine`. */
  examine(visibility: Visibility): Promise<string | null>;
  /** Replaces files that could not be replaced before, or that another process found damaged. */
  mend(): void;
}

/** Dependencies of {@link startRepair}. */
export interface RepairParts {
  readonly files: OpenFiles;
  readonly maintenance: Pick<Maintenance, 'examine' | 'committed'>;
  /** See `Deletions.hashOf`. */
  readonly hashOf: (wanted: string) => Buffer;
  /** Null unless this process serves. */
  readonly marker: { readonly wasUnclean: boolean } | null;
  readonly options: LocalLogOptions;
}

/** Continues what a former run began, and examines the files from time to time. */
export function startRepair({ files, maintenance, hashOf, marker, options }: RepairParts): Repair {
  const { clock, logger } = options;
  const { logs, writerOf } = files;
  const recoveries = createRecoveries({
    ...{ logs, writerOf, onCommit: maintenance.committed, hashOf, logger },
    monotonicMs: clock.monotonicMs,
  });

  const underWay = new Map<LogFile, Promise<string | null>>();

  function replace(visibility: Visibility, problem: string): void {
    if (files.replace(visibility, problem)) recoveries.start(visibility);
  }

  /** A fault that a reader meets is not one of the writer: checks continue in a new file. */
  function damaged(log: LogFile, problem: string): void {
    const { visibility } = log;
    if (logs[visibility] !== log) return;
    if (marker === null) noteDamage(log.path, visibility, problem, logger);
    else {
      const { state } = writerOf(visibility);
      if (state.isDamaged()) replace(visibility, problem);
      else state.damaged(problem);
    }
  }

  function reported(log: LogFile, error: unknown): unknown {
    if (isDamage(error)) damaged(log, String(error));
    return error;
  }

  async function examineNow(log: LogFile): Promise<string | null> {
    const problem = await maintenance.examine(log.visibility);
    if (problem !== null) damaged(log, problem);
    else if (marker !== null) clearDamage(log.path);
    underWay.delete(log);
    return problem;
  }

  async function examine(visibility: Visibility): Promise<string | null> {
    const log = logs[visibility];
    const examination = underWay.get(log) ?? examineNow(log);
    underWay.set(log, examination);
    const problem = await examination;
    await recoveries.settled(visibility);
    return problem;
  }

  function mend(): void {
    if (marker === null) return;
    for (const visibility of VISIBILITIES) {
      if (writerOf(visibility).state.isDamaged()) replace(visibility, 'it was found before');
      else if (isDamageNoted(logs[visibility].path)) void examine(visibility);
    }
  }

  if (marker !== null) for (const visibility of VISIBILITIES) recoveries.start(visibility);
  const examinations =
    marker &&
    startExaminations(options, marker.wasUnclean, mend, async () => {
      for (const visibility of VISIBILITIES) await examine(visibility);
    });
  return {
    damaged,
    examine,
    mend,
    async *watching(visibility, read) {
      const log = logs[visibility];
      try {
        yield* read();
      } catch (error) {
        throw reported(log, error);
      }
    },
    async watched(visibility, read) {
      const log = logs[visibility];
      try {
        return await read();
      } catch (error) {
        throw reported(log, error);
      }
    },
    async [Symbol.asyncDispose]() {
      examinations?.[Symbol.dispose]();
      await recoveries[Symbol.asyncDispose]();
    },
  };
}

/**
 * Examines the logs each week and after an unclean stop, until it is disposed of.
 *
 * @param isDue true if the last run did not end well
 * @param mend replaces a log that another process, or an earlier attempt, found damaged
 * @param examine examines both logs
 */
function startExaminations(
  { dataDir, clock, logger, quickCheckDelayMs = QUICK_CHECK_DELAY_MS }: LocalLogOptions,
  isDue: boolean,
  mend: () => void,
  examine: () => Promise<void>,
): Disposable {
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

  const timer = isDue ? setTimeout(() => void examineNow().catch(onFailure), quickCheckDelayMs).unref() : null;
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
