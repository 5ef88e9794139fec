import { appendAudit, audited } from '#src/admin/audit/audit-log.ts';
import { acceptanceOf, acceptFeedback, ORIGIN, reopenFeedback } from '#src/admin/feedback/accept-feedback.ts';
import { entryOf } from '#src/admin/feedback/entry-of.ts';
import { prepareStoredLists } from '#src/admin/lists/stored-lists.ts';
import { isUnreadable } from '#src/checks/record/logged-result.ts';
import type { FeedbackReview, FeedbackRow } from '#src/checks/store/feedback/feedback-queue.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { openFeedbackReview, shareFeedback } from '#src/parts/fleet/feedback.ts';
import type { FeedbackOperations } from '#src/service/server/admin/feedback-routes.ts';
import { type ConsoleService, changeActive } from './console-service.ts';
import { previewLocalChange } from './lists.ts';

/** Returns what the console does with feedback. */
export function consoleFeedback(service: ConsoleService & { readonly log: Pick<ScanLog, 'find'> }): FeedbackOperations {
  const dataDir = () => service.running().data_dir;

  async function reviewing<T>(work: (review: FeedbackReview | null) => Promise<T>): Promise<T> {
    await shareFeedback(service.running());
    await using review = await openFeedbackReview(service.running());
    return await work(review);
  }

  /** Makes a change of feedback that is there; null if it is not. */
  const settling = <T>(id: number, work: (review: FeedbackReview, given: FeedbackRow) => Promise<T>) =>
    reviewing(async (review) => {
      const given = (await review?.find(id)) ?? null;
      return review && given ? await work(review, given) : null;
    });

  const noted = (by: Actor, id: number, action: string, detail: { readonly entry?: string | null } = {}) => ({
    by,
    what: { action: `feedback.${action}`, subject: String(id), detail },
  });

  return {
    list: (state, limit) => reviewing(async (review) => [...((await review?.newest(state, limit)) ?? [])]),
    find: (id) => reviewing(async (review) => (await review?.find(id)) ?? null),
    async checkOf(requestId) {
      const entry = await service.log.find('public', requestId);
      return entry === null || isUnreadable(entry.result) ? null : entry.result;
    },
    entryOf,
    preview: (given, { entry, expiresAtMs }) =>
      service.heavy.run(async () => {
        const value = entry ?? entryOf(given.url);
        if (value === null) return null;
        const prepared = await prepareStoredLists(dataDir(), ORIGIN, [acceptanceOf(given, value, expiresAtMs)]);
        try {
          return await previewLocalChange(service, prepared);
        } finally {
          await prepared.discard();
        }
      }),
    accept: (by, id, options) =>
      settling(id, async (review, given) => {
        const { what } = noted(by, id, 'accept', { entry: options.entry });
        const accept = () => acceptFeedback(review, dataDir(), given, options);
        const accepted = await changeActive(service, ['lists'], () => audited(dataDir(), by, what, accept));
        if (!('problem' in accepted)) return null;
        appendAudit(dataDir(), by, { ...what, action: `${what.action}.failed` });
        return accepted.problem;
      }),
    async reject(by, id) {
      const { what } = noted(by, id, 'reject');
      await settling(id, (review) => audited(dataDir(), by, what, async () => review.settle(id, 'rejected', null)));
    },
    async reopen(by, id) {
      const { what } = noted(by, id, 'reopen');
      await settling(id, (review, given) =>
        changeActive(service, ['lists'], () =>
          audited(dataDir(), by, what, () => reopenFeedback(review, dataDir(), given)),
        ),
      );
    },
  };
}
