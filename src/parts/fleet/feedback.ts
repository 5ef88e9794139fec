import { writeAcceptedCopy } from '#src/admin/active/calibration.ts';
import type { DatabaseAccess } from '#src/checks/store/database-access.ts';
import { hasFeedback } from '#src/checks/store/feedback/feedback-file.ts';
import {
  type FeedbackQueue,
  type FeedbackReview,
  openFeedback,
  reviewFeedback,
} from '#src/checks/store/feedback/feedback-queue.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { HOUR_MS, MINUTE_MS, oncePerMinute, systemClock } from '#src/core/base/clock.ts';
import type { LogFields, Logger } from '#src/core/base/logger.ts';
import { repeated } from '#src/core/base/timers.ts';
import type { FeedbackSettings } from '#src/engine/assess/settings.ts';
import type { PublicPrimary } from '#src/parts/postgres/session/public-primary.ts';
import { checkDatabaseAuthorities } from './database-authorities.ts';

/** Interval in which a node sends new feedback, in milliseconds. */
const SEND_MS = 1000;

/** Settings that say where feedback is stored. */
export type FeedbackPlace = Pick<StoreSettings, 'data_dir' | 'log_database' | 'log_database_private'>;

/**
 * Opens the feedback for a review: that of all nodes if they store their logs in databases, else that of the data directory; null
 * if there never was any.
 *
 * @throws OperationError if a file that the settings name cannot be used; StoreError if the feedback cannot
 */
export async function openFeedbackReview(config: FeedbackPlace): Promise<FeedbackReview | null> {
  if (config.log_database.length === 0) return reviewFeedback(config.data_dir, systemClock.now);
  await checkDatabaseAuthorities(config);
  return (await sharedFeedback()).openSharedFeedback(primaryOf(config), systemClock.now);
}

/**
 * Moves what a data directory has to the feedback of all nodes; does nothing if there are no databases.
 *
 * @throws StoreError if the database cannot be used
 */
export async function shareFeedback(config: FeedbackPlace): Promise<void> {
  if (config.log_database.length === 0 || !hasFeedback(config.data_dir)) return;
  using queue = openFeedback({ dataDir: config.data_dir, now: systemClock.now });
  await send(queue, primaryOf(config));
}

/** Keeps the feedback of a node together with that of all nodes, until it is disposed of. */
export function followFeedback(
  config: FeedbackPlace & FeedbackSettings,
  { databaseAccess, logger }: { readonly databaseAccess: DatabaseAccess; readonly logger: Logger },
): AsyncDisposable {
  const { data_dir: dataDir } = config;
  const place = primaryOf(config, databaseAccess);
  const report = oncePerMinute<LogFields>(systemClock, (failure) => logger.warn('feedback.not_shared', failure));
  const reportFailure = async (error: unknown) => {
    const { sqlStateOf } = await import('#src/parts/postgres/session/fault.ts');
    report({ error, state: sqlStateOf(error) });
  };
  const follow = (everyMs: number, work: () => Promise<void>) => repeated(everyMs, () => work().catch(reportFailure));
  let queue: FeedbackQueue | null = null;
  const sending = follow(SEND_MS, async () => {
    if (!queue && !hasFeedback(dataDir)) return;
    queue ??= openFeedback({ dataDir, now: systemClock.now });
    await send(queue, place);
  });
  const forgetting = follow(HOUR_MS, async () => (await sharedFeedback()).forgetFeedback(place, systemClock.now()));
  const copying = config.feedback_calibration
    ? follow(MINUTE_MS, async () => {
        const shared = (await sharedFeedback()).openSharedFeedback(place, systemClock.now);
        writeAcceptedCopy(dataDir, await shared.accepted());
      })
    : null;
  void forgetting.now();
  void copying?.now();
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all([sending.stop(), forgetting.stop(), copying?.stop()]);
      queue?.[Symbol.dispose]();
    },
  };
}

async function send(queue: FeedbackQueue, place: PublicPrimary): Promise<void> {
  if (queue.newest(null, 1).length > 0) await (await sharedFeedback()).moveFeedback(queue, place);
}

/** Loaded by those alone who store their logs in databases. */
const sharedFeedback = () => import('#src/parts/fleet/shared/shared-feedback.ts');

function primaryOf(config: FeedbackPlace, databaseAccess: DatabaseAccess = {}): PublicPrimary {
  const urls = { public: config.log_database, private: config.log_database_private };
  return { urls, dataDir: config.data_dir, ...databaseAccess };
}
