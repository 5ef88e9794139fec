import { expect, test } from 'bun:test';
import { perform } from '#src/admin/audit/act.ts';
import { type NewFeedback, openFeedback } from '#src/checks/store/feedback/feedback-queue.ts';
import { readListState } from '#src/network/lists/stored/list-state.ts';
import {
  ACCEPT_FEEDBACK,
  REJECT_FEEDBACK,
  REOPEN_FEEDBACK,
  type ReviewPlace,
} from '#src/parts/tuning/feedback/feedback-acts.ts';
import { auditLines } from '#test/support/audit-lines.ts';
import { ownPlace } from '#test/support/own-place.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const BY = { key: 'desk' };

const REPORT: NewFeedback = {
  ...{ receivedAtMs: 0, verdict: 'malicious', url: 'http://evil.example/pay', host: 'evil.example' },
  ...{ comment: '', clientHash: Buffer.alloc(32) },
};

/** An installation with a report that waits. */
async function openReviewed() {
  await using opened = new AsyncDisposableStack();
  const { path } = opened.use(temporaryDirectory());
  const review = opened.use(openFeedback({ dataDir: path, now: () => 0 }));
  review.take(REPORT);
  const row = () => {
    const row = review.find(1);
    if (row === null) throw new Error('the report is gone');
    return row;
  };
  const closing = opened.move();
  const listed = async () => (await readListState(path)).lists.map(({ name, entries }) => `${name} ${entries}`);
  return {
    ...{ path, place: { ...ownPlace(path), reviewing: (work) => work(review) } satisfies ReviewPlace, row, listed },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

test('accepted feedback is a list entry, which the audit log names, until it is taken back', async () => {
  await using service = await openReviewed();
  const { path, place, row, listed } = service;
  const acceptance = { row: row(), entry: null, expiresAtMs: null };
  const entry = 'http://evil.example/pay';
  expect(await perform(ACCEPT_FEEDBACK, place, BY, acceptance)).toEqual({ list: 'feedback', entry });
  expect([row().state, row().entry, await listed()]).toEqual(['accepted', entry, ['feedback 1']]);
  expect(await perform(REOPEN_FEEDBACK, place, BY, row())).toBe(true);
  expect([row().state, await listed()]).toEqual(['waiting', ['feedback 0']]);
  expect(auditLines(path)).toEqual([
    { action: 'feedback.accept', subject: '1', detail: { entry } },
    { action: 'feedback.reopen', subject: '1', detail: {} },
  ]);
});

test('feedback whose entry is gone already is taken back, and a rejection adds none', async () => {
  await using service = await openReviewed();
  const { path, place, row, listed } = service;
  await perform(ACCEPT_FEEDBACK, place, BY, { row: row(), entry: 'evil.example', expiresAtMs: null });
  expect(await perform(REOPEN_FEEDBACK, place, BY, { ...row(), entry: 'other.example' })).toBe(true);
  expect(await perform(REJECT_FEEDBACK, place, BY, 1)).toBe(true);
  expect(await perform(REJECT_FEEDBACK, place, BY, 1)).toBe(false);
  expect([row().state, await listed()]).toEqual(['rejected', ['feedback 1']]);
  expect(auditLines(path).map(({ action }) => action)).toEqual([
    ...['feedback.accept', 'feedback.reopen', 'feedback.reject', 'feedback.reject'],
  ]);
});

test('an entry that covers the sites of many is recorded as failed, and the feedback waits', async () => {
  await using service = await openReviewed();
  const { path, place, row, listed } = service;
  const accepted = perform(ACCEPT_FEEDBACK, place, BY, { row: row(), entry: 'google.com', expiresAtMs: null });
  await expect(accepted).rejects.toMatchObject({
    errorCode: 'feedback_refused',
    message: expect.stringMatching(/^google\.com is held back .*: pass a narrower --entry$/),
    clientText: expect.stringMatching(/^nothing was changed: google\.com /),
  });
  expect([row().state, await listed()]).toEqual(['waiting', []]);
  expect(auditLines(path)).toEqual([
    { action: 'feedback.accept', subject: '1', detail: { entry: 'google.com' } },
    { action: 'feedback.accept.failed', subject: '1', detail: { entry: 'google.com' } },
  ]);
});

test('feedback that is settled while it is accepted leaves no entry', async () => {
  await using service = await openReviewed();
  const { path, place, row, listed } = service;
  const late: ReviewPlace = { ...place, reviewing: (work) => work({ settle: () => false, reopen: () => false }) };
  const accepted = perform(ACCEPT_FEEDBACK, late, BY, { row: row(), entry: null, expiresAtMs: null });
  await expect(accepted).rejects.toMatchObject({ errorCode: 'changed_meanwhile' });
  expect(await listed()).toEqual(['feedback 0']);
  expect(auditLines(path).map(({ action }) => action)).toEqual(['feedback.accept', 'feedback.accept.failed']);
});

test('a URL that no entry can cover needs one', async () => {
  await using service = await openReviewed();
  const { place, row } = service;
  const unlisted = { row: { ...row(), url: 'mailto:a@b.example' }, entry: null, expiresAtMs: null };
  await expect(perform(ACCEPT_FEEDBACK, place, BY, unlisted)).rejects.toThrow('no entry can cover that URL');
});
