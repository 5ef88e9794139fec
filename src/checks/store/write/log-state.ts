import type { Clock } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { faultOf, isDamage } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';

/** Time for which a log is assumed writable after a successful write. */
const BELIEVED_MS = 30_000;

/** Retry interval of a failed log, so that recovery need not wait for a check. */
const RETRY_MS = 1000;

/** Known state of one log, derived from write attempts. */
export interface LogState {
  /** Why a record could not be stored now, as the end of a sentence; null if nothing is known. */
  problem(): string | null;
  /** The part of {@link problem} that is checked now: with it, trying is pointless. */
  obstacle(): string | null;
  /** Returns true if another attempt would give new information. */
  isDoubtful(): boolean;
  /** Records the outcome of a write attempt. */
  worked(): void;
  failed(error: unknown): void;
  /** Records damage of the file; nothing is written from now on, because that could make it worse. */
  damaged(problem: string): void;
  isDamaged(): boolean;
}

export interface LogStateOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called once, when the file is found to be damaged; replaces it, or leaves that to the service. */
  readonly onDamage: (problem: string) => void;
}

/**
 * Creates the state of a log. It logs one line when a failure begins and one when it ends, so that a full disk is not
 * filled with messages.
 */
export function createLogState(
  log: Pick<LogFile, 'visibility' | 'path' | 'isInPlace'>,
  isDiskFull: () => boolean,
  { clock, logger, onDamage }: LogStateOptions,
): LogState {
  let isDamaged = false;
  let isFailing = false;
  /** Problem of the last attempt, if the file was at fault and not a record. */
  let matter: string | null = null;
  let triedAtMs = Number.NEGATIVE_INFINITY;

  function obstacle(): string | null {
    if (isDamaged) return 'its file is damaged, and the service has not replaced it yet';
    try {
      if (!log.isInPlace()) return 'its file was removed';
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
    isDamaged: () => isDamaged,
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
