import { describe, expect, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { feedbackFileIn } from '#src/checks/store/feedback/feedback-file.ts';
import { type FeedbackBounds, type NewFeedback, openFeedback } from '#src/checks/store/feedback/feedback-queue.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { expectNothingToGenerate } from '../nothing-to-generate.ts';

const CLIENT = Buffer.alloc(32, 1);

/** Some feedback on a page of a host. */
function given(host: string, more: Partial<NewFeedback> = {}): NewFeedback {
  return {
    receivedAtMs: 1,
    verdict: 'malicious',
    url: `https://${host}/`,
    host,
    comment: '',
    clientHash: CLIENT,
    ...more,
  };
}

function queue(bounds?: FeedbackBounds) {
  const directory = temporaryDirectory();
  const opened = openFeedback({ dataDir: directory.path, now: () => 5, ...(bounds && { bounds }) });
  return {
    ...opened,
    path: feedbackFileIn(directory.path),
    hosts: () => opened.newest(null, 100).map(({ host }) => host),
    async [Symbol.asyncDispose]() {
      opened[Symbol.dispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

test('new feedback waits, latest first, and is settled once', async () => {
  await using own = queue();
  expect(own.take(given('a.example'))).toBe('kept');
  expect(own.take(given('b.example', { verdict: 'benign', comment: 'ours' }))).toBe('kept');
  expect(own.hosts()).toEqual(['b.example', 'a.example']);
  const [first] = own.newest('waiting', 1);
  expect(first).toMatchObject({ id: 2, state: 'waiting', comment: 'ours', settledAtMs: null, entry: null });
  expect(own.settle(2, 'accepted', 'b.example')).toBe(true);
  expect(own.settle(2, 'rejected', null)).toBe(false);
  expect(own.find(2)).toMatchObject({ state: 'accepted', entry: 'b.example', settledAtMs: 5 });
  expect(own.find(3)).toBeNull();
  expect(own.counts()).toEqual({ waiting: 1, accepted: 1, rejected: 0 });
});

test('stores repeated feedback of a client once, and that of another client or verdict separately', async () => {
  await using own = queue();
  const others = Buffer.alloc(32, 2);
  expect([given('a.example'), given('a.example')].map(own.take)).toEqual(['kept', 'repeated']);
  expect(own.take(given('a.example', { verdict: 'benign' }))).toBe('kept');
  expect(own.take(given('a.example', { clientHash: others }))).toBe('kept');
  own.settle(1, 'rejected', null);
  expect(own.take(given('a.example'))).toBe('kept');
});

describe('the queue is bounded', () => {
  test('in rows: new feedback replaces settled feedback, but not waiting feedback', async () => {
    await using own = queue({ rows: 3, bytes: 10_000, ofClient: 10 });
    for (const host of ['a.example', 'b.example', 'c.example']) own.take(given(host));
    expect(own.take(given('d.example'))).toBe('full');
    own.settle(2, 'rejected', null);
    expect(own.take(given('d.example'))).toBe('kept');
    expect(own.hosts()).toEqual(['d.example', 'c.example', 'a.example']);
  });

  test('in bytes, of UTF-8', async () => {
    await using own = queue({ rows: 10, bytes: 100, ofClient: 10 });
    expect(own.take(given('a.example', { comment: '€'.repeat(28) }))).toBe('full');
    expect(own.take(given('a.example', { comment: '€'.repeat(26) }))).toBe('kept');
    expect(own.take(given('b.example'))).toBe('full');
  });

  test('per client', async () => {
    await using own = queue({ rows: 10, bytes: 10_000, ofClient: 2 });
    expect(['a', 'b', 'c'].map((host) => own.take(given(host)))).toEqual(['kept', 'kept', 'full']);
    expect(own.take(given('c', { clientHash: Buffer.alloc(32, 2) }))).toBe('kept');
  });
});

test('a deletion by domain, id or time removes feedback without a trace in the file', async () => {
  await using own = queue();
  const id = '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b';
  for (const host of ['a.example', 'sub.a.example', 'nota.example', 'example']) own.take(given(host));
  expect(own.remove({ by: 'domain', wanted: 'a.example' })).toBe(2);
  expect(own.hosts()).toEqual(['example', 'nota.example']);
  expect(readFileSync(own.path, 'latin1')).not.toContain('sub.a.example');
  own.take(given('c.example', { requestId: id, receivedAtMs: 9 }));
  expect(own.remove({ by: 'before', wanted: new Date(5).toISOString() })).toBe(2);
  expect(own.remove({ by: 'id', wanted: id })).toBe(1);
  own.take(given('d.example'));
  expect([own.forget(1), own.forget(2), own.hosts()]).toEqual([0, 1, []]);
});

test('the file is readable only by its owner, and several processes may write to it', async () => {
  await using own = queue();
  expect(statSync(own.path).mode & 0o777).toBe(0o600);
  using other = openFeedback({ dataDir: own.path.slice(0, -'/feedback.sqlite'.length), now: () => 6 });
  own.take(given('a.example'));
  expect(other.settle(1, 'accepted', null)).toBe(true);
  expect(own.find(1)?.state).toBe('accepted');
});

test('drizzle-kit has nothing to generate for the feedback schema', async () => {
  await expectNothingToGenerate('feedback/feedback-schema.ts', 'feedback');
});
