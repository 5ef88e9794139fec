import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { faultOf, isDamage } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';

/** A log that worked is believed to for as long, though nobody writes to it: a disk that is at rest wears out no sooner. */
const BELIEVED_MS = 30_000;

/** A log that failed is tried as often: whoever waits for it to recover need not wait for a check. */
const RETRY_MS = 1000;

/** What is known of whether one log can be written, by what came of the attempts. */
export interface LogState {
  /** Why a record could not be kept now, as the end of a sentence; null where nothing speaks against it. */
  problem(): string | null;
  /** The part of {@link problem} that is no memory of an earlier attempt: with it, to try has no use. */
  obstacle(): string | null;
  /** Whether an attempt would say more than what is known. */
  isDoubtful(): boolean;
  /** An attempt to write has come to its end. */
  worked(): void;
  failed(error: unknown): void;
  /** The file itself is damaged, as `problem` says: from now on nothing is written, which would make it worse. */
  damaged(problem: string): void;
}

export interface LogStateOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called once, where the file is found to be damaged. */
  readonly onDamage: (problem: string) => void;
}

/** One line is logged when a failure begins and one when it ends: a full disk must not fill what is left with messages. */
export function createLogState(
  log: Pick<LogFile, 'visibility' | 'path' | 'isInPlace'>,
  isDiskFull: () => boolean,
  { clock, logger, onDamage }: LogStateOptions,
): LogState {
  let isDamaged = false;
  let isFailing = false;
  /** Of the last attempt, where the file was at fault and not a record. */
  let matter: string | null = null;
  let triedAtMs = Number.NEGATIVE_INFINITY;

  function obstacle(): string | null {
    if (isDamaged) return 'its file is damaged, and the operator has to look at it';
    try {
      if (!log.isInPlace()) return 'its file was taken away';
      return isDiskFull() ? 'the disk is full' : null;
    } catch (error) {
      return faultOf(error)?.matter ?? 'its folder cannot be read';
    }
  }

  function damaged(problem: string): void {
    if (isDamaged) return;
    isDamaged = true;
    logger.error('log.damaged', { path: log.path, problem });
    onDamage(problem);
  }

  return {
    obstacle,
    problem: () => obstacle() ?? matter,
    isDoubtful: () => clock.monotonicMs() - triedAtMs >= (matter === null ? BELIEVED_MS : RETRY_MS),
    damaged,
    worked() {
      triedAtMs = clock.monotonicMs();
      matter = null;
      if (isFailing) logger.info('log.append_recovered', { log: log.visibility });
      isFailing = false;
    },
    failed(error) {
      const fault = faultOf(error);
      if (fault) {
        triedAtMs = clock.monotonicMs();
        matter = fault.matter;
      }
      if (!isFailing) logger.error('log.append_failed', { log: log.visibility, error });
      isFailing = true;
      if (isDamage(error)) damaged(String(error));
    },
  };
}
