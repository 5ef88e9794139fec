import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { isDamage } from './file/fault.ts';
import type { LogFile } from './file/log-file.ts';
import { clearDamage, isDamageNoted, noteDamage } from './ledger/notices.ts';
import type { LocalLogOptions, OpenFiles } from './open-files.ts';
import { createRecoveries } from './recovery/recoveries.ts';
import { startExaminations } from './upkeep/examinations.ts';
import type { Maintenance } from './upkeep/maintenance.ts';

/** Delay of the examination after an unclean stop, so that the service answers first. */
const QUICK_CHECK_DELAY_MS = 2000;

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
  const { dataDir, clock, logger } = options;
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
    startExaminations({
      ...{ dataDir, clock, logger, mend, isDue: marker.wasUnclean },
      delayMs: options.quickCheckDelayMs ?? QUICK_CHECK_DELAY_MS,
      async examine() {
        for (const visibility of VISIBILITIES) await examine(visibility);
      },
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
