import { basename, dirname } from 'node:path';
import type { Logger } from '#src/core/base/logger.ts';
import { counted } from '#src/core/base/text/counted.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { LogFile } from '../file/log-file.ts';
import { clearPendingRecovery, type ExpectedIds, pendingRecoveries, quarantineStamp } from '../file/open-or-replace.ts';
import { noticePlace, writeNotice } from '../ledger/notices.ts';
import { lastDeletedIdOf } from '../read/find-checks.ts';
import { startFileThread } from '../upkeep/file-thread.ts';
import type { LogWriter } from '../write/log-writer.ts';
import type { Recovered, recoverLog } from './recover-log.ts';

/** Pause after each step, so that checks take no longer than usual. */
const PAUSE_MS = 2;

/** Interval between two reports of progress. */
const REPORT_MS = 10_000;

/** Dependencies of {@link createRecoveries}. */
export interface RecoveriesParts {
  readonly logs: Readonly<Record<Visibility, LogFile>>;
  readonly writerOf: (visibility: Visibility) => LogWriter;
  readonly onCommit: (visibility: Visibility) => void;
  readonly hashOf: (wanted: string) => Buffer;
  readonly monotonicMs: () => number;
  readonly logger: Logger;
}

/** Creates the recoveries, which copy the checks of quarantined files back; those of a log run one after the other. */
export function createRecoveries(parts: RecoveriesParts) {
  const { logs, writerOf, logger } = parts;
  const underWay: Record<Visibility, Promise<void>> = { public: Promise.resolve(), private: Promise.resolve() };
  let isClosing = false;

  async function recoverFrom(log: LogFile, path: string, expected: ExpectedIds): Promise<void> {
    const { visibility } = log;
    await using thread = startFileThread();
    let reportedMs = parts.monotonicMs();
    const recovered = await recover(path, {
      ...{ log, thread, expected, hashOf: parts.hashOf },
      async afterStep(progress) {
        parts.onCommit(visibility);
        if (parts.monotonicMs() - reportedMs >= REPORT_MS) {
          reportedMs = parts.monotonicMs();
          report(log, path, underWayText(path, progress), logger);
          logger.info('log.recovering', { log: visibility, ...progress });
        }
        await Bun.sleep(PAUSE_MS);
        await writerOf(visibility).unlessHeld();
        if (isClosing || logs[visibility] !== log) throw new StoppedError();
      },
    });
    clearPendingRecovery(path);
    report(log, path, doneText(log, path, recovered), logger);
    logger.warn('log.recovered', { log: visibility, path, ...recovered });
  }

  async function recoverAll(visibility: Visibility): Promise<void> {
    const log = logs[visibility];
    const pending = pendingRecoveries(dirname(log.path), visibility);
    for (const { path, expected } of pending) {
      try {
        await recoverFrom(log, path, expected);
      } catch (error) {
        if (isClosing || logs[visibility] !== log) return;
        const message = `${basename(log.path)} was damaged. The checks of ${path} could not be copied back. Run lurecheck log recover ${path}.`;
        report(log, path, { message, publicMessage: `The ${visibility} log is not complete.` }, logger);
        logger.error('log.recovery_failed', { path, error });
      }
    }
    log.recovery = null;
  }

  return {
    /** Begins or continues with the quarantined files of a log. */
    start(visibility: Visibility) {
      const log = logs[visibility];
      if (pendingRecoveries(dirname(log.path), visibility).length === 0) return;
      log.recovery = { reachedId: 0, untilId: lastDeletedIdOf(log.database) };
      underWay[visibility] = underWay[visibility].then(() => recoverAll(visibility));
    },
    /** Resolves once a log has all that could be copied back. */
    settled: (visibility: Visibility) => underWay[visibility],
    async [Symbol.asyncDispose]() {
      isClosing = true;
      await Promise.all(Object.values(underWay));
    },
  };
}

/** Loaded if a file is damaged. */
const recover: typeof recoverLog = async (...parts) => (await import('./recover-log.ts')).recoverLog(...parts);

/** The log is closing, or was replaced again: the next start, or the next recovery, continues. */
class StoppedError extends Error {}

interface ReportText {
  readonly message: string;
  readonly publicMessage: string;
}

/** Replaces the notice of a quarantined file. */
function report({ path }: LogFile, aside: string, { message, publicMessage }: ReportText, logger: Logger): void {
  const place = noticePlace(path, quarantineStamp(aside));
  const notice = { message: `${message} Remove ${place} once you have dealt with it.`, publicMessage };
  writeNotice(place, notice, {}, logger);
}

function underWayText(aside: string, { examined, of }: { examined: number; of: number }): ReportText {
  const name = basename(aside).replace(/\..*/, '');
  return {
    message: `${name}.sqlite was damaged and was set aside as ${aside}. ${examined} of ${of} checks are copied back.`,
    publicMessage: `The ${name} log is being restored after damage.`,
  };
}

function doneText({ visibility, path }: LogFile, aside: string, recovered: Recovered): ReportText {
  const isComplete = recovered.lost + recovered.messages.lost === 0;
  const publicLoss = visibility === 'public' ? ` ${lossText(recovered)}` : '';
  return {
    message: `${basename(path)} was damaged and was set aside as ${aside}. ${counted(recovered.copied + recovered.present, 'check')} copied back. ${lossText(recovered)}`,
    publicMessage: isComplete
      ? `The ${visibility} log was damaged and is complete again.`
      : `The ${visibility} log is not complete.${publicLoss}`,
  };
}

/** Describes what a recovery could not copy back. */
export function lossText({ lost, isAtMost, messages }: Recovered): string {
  // Deleted messages leave the same gaps.
  const bound = isAtMost ? 'Up to' : 'At least';
  const missing = counted(messages.lost, 'message is', 'messages are');
  const ofMessages = messages.lost === 0 ? '' : ` ${bound} ${missing} missing.`;
  if (lost === 0) return ofMessages === '' ? 'None is missing.' : ofMessages.trimStart();
  const how = isAtMost ? 'At most' : 'About';
  return `${how} ${lost === 1 ? '1 check is' : `${lost} checks are`} missing.${ofMessages}`;
}

/**
 * Copies the checks of a damaged file into a log that other processes may use.
 *
 * @throws StoreError if they are private and the log is public
 */
export async function recoverFile(log: LogFile, path: string, hashOf: (wanted: string) => Buffer): Promise<Recovered> {
  await using thread = startFileThread();
  const expected = { oldestId: null, newestId: null };
  return await recover(path, { log, thread, hashOf, expected, afterStep: () => Bun.sleep(PAUSE_MS) });
}
