import { dirname } from 'node:path';
import type { PreviewView } from '#src/admin/active/scoring-context.ts';
import { type ActPlace, effectOf, withDraft } from '#src/admin/audit/act.ts';
import type { ConfigFor } from '#src/app/config.ts';
import type { Engine } from '#src/app/engine.ts';
import type { FeedbackReview } from '#src/checks/store/feedback/feedback-queue.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { Turns } from '#src/core/base/turns.ts';
import type { BackupPlace } from '#src/parts/backup/archive/backup-acts.ts';
import type { ReviewPlace } from '#src/parts/tuning/feedback/feedback-acts.ts';
import type { ActRunner } from '#src/service/server/admin/act-route.ts';

/** Dependencies of the console's operations. */
export interface ConsoleService {
  /** The settings as they are now. */
  readonly running: () => ConfigFor<'serve'>;
  readonly engine: Pick<Engine, 'scoringContext'>;
  readonly log: Pick<ScanLog, 'read' | 'find' | 'listHits'>;
  /** Changes files of the data directory, for all nodes of a fleet, and applies them in this service. */
  readonly change: ActPlace['change'];
  /** Previews and comparisons run one at a time, so that they take one core at most. */
  readonly heavy: Pick<Turns, 'run'>;
  /** Aborted once the service shuts down. */
  readonly stopping: AbortSignal;
}

/** Place of the acts of the console, which also shows their effects. */
export type ConsolePlace = PreviewView &
  ReviewPlace<FeedbackReview> &
  BackupPlace<void> &
  Pick<ConsoleService, 'log'> & { readonly settings: ConsoleService['running'] };

/** Returns the place of the acts of the console. */
export function consolePlace({ running, engine, log, change, stopping }: ConsoleService): ConsolePlace {
  return {
    dataDir: running().data_dir,
    change,
    settings: running,
    scoring: engine.scoringContext,
    log,
    // A stop cancels a running backup, which leaves no file.
    async write(path) {
      const { makeBackupFolder, runBackup } = await import('#src/parts/backup/archive/scheduled-backups.ts');
      makeBackupFolder(dirname(path));
      await runBackup(path, running(), stopping);
    },
    async reviewing(work) {
      const { openFeedbackReview, shareFeedback } = await import('#src/parts/fleet/feedback.ts');
      await shareFeedback(running());
      await using review = await openFeedbackReview(running());
      return await work(review);
    },
  };
}

/** Creates what performs the acts of operators in a service. */
export function consoleActs(place: ConsolePlace, heavy: ConsoleService['heavy']): ActRunner<ConsolePlace> {
  return {
    place,
    preview: (act, input) => heavy.run(() => effectOf(act, place, input)),
    withDraft(act, input, work) {
      const run = () => withDraft(act, place, input, work);
      return act.isHeavy ? heavy.run(run) : run();
    },
  };
}
