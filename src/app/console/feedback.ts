import { perform, withDraft } from '#src/admin/audit/act.ts';
import { previewChange } from '#src/admin/lists/preview-change.ts';
import { isUnreadable } from '#src/checks/record/logged-result.ts';
import type { FeedbackReview, FeedbackRow } from '#src/checks/store/feedback/feedback-queue.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import { openFeedbackReview, shareFeedback } from '#src/parts/fleet/feedback.ts';
import {
  ACCEPT_FEEDBACK,
  entryOf,
  REJECT_FEEDBACK,
  REOPEN_FEEDBACK,
} from '#src/parts/tuning/feedback/feedback-acts.ts';
import type { FeedbackOperations } from '#src/service/server/admin/feedback-routes.ts';
import { type ConsoleService, consolePlace } from './console-service.ts';

/** A preview settles nothing. */
const NO_REVIEW = { settle: () => false, reopen: () => false };

/** Returns what the console does with feedback. */
export function consoleFeedback(service: ConsoleService & { readonly log: Pick<ScanLog, 'find'> }): FeedbackOperations {
  const dataDir = () => service.running().data_dir;

  async function reviewing<T>(work: (review: FeedbackReview | null) => Promise<T>): Promise<T> {
    await shareFeedback(service.running());
    await using review = await openFeedbackReview(service.running());
    return await work(review);
  }

  /** Makes a change of feedback that is there; null if it is not. */
  const settling = <T>(id: number, work: (review: FeedbackReview, row: FeedbackRow) => Promise<T>) =>
    reviewing(async (review) => {
      const row = (await review?.find(id)) ?? null;
      return review && row ? await work(review, row) : null;
    });

  return {
    list: (state, limit) => reviewing(async (review) => [...((await review?.newest(state, limit)) ?? [])]),
    find: (id) => reviewing(async (review) => (await review?.find(id)) ?? null),
    async checkOf(requestId) {
      const entry = await service.log.find('public', requestId);
      return entry === null || isUnreadable(entry.result) ? null : entry.result;
    },
    entryOf: async (url) => entryOf(url),
    preview: (row, { entry, expiresAtMs }) =>
      service.heavy.run(async () => {
        if (entry === null && entryOf(row.url) === null) return null;
        const place = { ...consolePlace(service), review: NO_REVIEW };
        return await withDraft(ACCEPT_FEEDBACK, place, { row, entry, expiresAtMs }, ({ lists }) =>
          previewChange(dataDir(), lists, service.engine.scoringContext(), service.log),
        );
      }),
    async accept(by, id, acceptance) {
      await settling(id, (review, row) =>
        perform(ACCEPT_FEEDBACK, { ...consolePlace(service), review }, by, { row, ...acceptance }),
      );
    },
    async reject(by, id) {
      await settling(id, (review) => perform(REJECT_FEEDBACK, { ...consolePlace(service), review }, by, id));
    },
    async reopen(by, id) {
      await settling(id, (review, row) => perform(REOPEN_FEEDBACK, { ...consolePlace(service), review }, by, row));
    },
  };
}
