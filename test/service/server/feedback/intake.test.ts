import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { auditFileIn } from '#src/admin/audit/audit-log.ts';
import { feedbackFileIn, hasFeedback } from '#src/checks/store/feedback/feedback-file.ts';
import { openFeedback } from '#src/checks/store/feedback/feedback-queue.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { type Clock, DAY_MS } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { openFeedbackIntake } from '#src/service/server/feedback/feedback-route.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const NOW = Date.UTC(2026, 5, 1);

const SAID = {
  ...{ verdict: 'benign' as const, host: 'one.example', comment: '', receivedAtMs: NOW },
  clientHash: Buffer.alloc(32),
  ...{ requestId: null, decision: null, probability: null, modelVersion: null },
};

const eventsOf = (told: readonly string[]) =>
  told.map((line) => JSON.parse(line).event).filter((event) => event.startsWith('feedback.'));

const asideIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('feedback.sqlite.damaged-'));

const CLOCK = { now: () => NOW, monotonicMs: () => 0 };

/** A box with a public and a private check; what `said` gives is taken in, and what is kept of it comes back. */
async function keptOf(
  said: (ids: { shown: string; hidden: string; held: string }) => readonly object[],
  dataDir?: string,
  clock: Clock = CLOCK,
) {
  await using directory = temporaryDirectory();
  const told: string[] = [];
  const reported: object[] = [];
  const logger = createLogger('info', (line) => told.push(line));
  const folder = dataDir ?? directory.path;
  await using log = await openLocalLog({ dataDir: directory.path, access: 'serve', clock: CLOCK, logger });
  const [shown, hidden] = [
    sampleRecord({ url: 'https://shown.example/a?id=1', result: { malicious_probability: 0.25 } }),
    sampleRecord({ url: 'https://hidden.example/', visibility: 'private' }),
  ];
  const held = sampleRecord({
    ...{ url: 'https://held.example:8443/in?id=1', visibility: 'private' },
    details: { gate: { way: 'icap', rule: 'spelling', held: true } },
  });
  for (const record of [shown, hidden, held]) await log.append(record);
  {
    const hashOf = (client: string) => Buffer.from(client);
    const parts = { log, dataDir: folder, retentionDays: 90, hashOf, onStored: (one: object) => reported.push(one) };
    await using intake = openFeedbackIntake({ ...parts, clock, logger });
    const ids = { shown: shown.result.request_id, hidden: hidden.result.request_id, held: held.result.request_id };
    for (const one of said(ids)) intake.take({ verdict: 'benign', client: 'me', ...one });
  }
  if (!hasFeedback(folder)) return { kept: [], told, reported };
  try {
    using queue = openFeedback({ dataDir: folder, now: CLOCK.now });
    return { kept: queue.newest(null, 100), told, reported };
  } catch {
    return { kept: null, told, reported };
  }
}

test('feedback with the id of a check stores the URL of that check, not the given one', async () => {
  const { kept } = await keptOf(({ shown }) => [{ request_id: shown, url: 'https://other.example/' }]);
  expect(kept).toMatchObject([
    {
      url: 'https://shown.example/a?id=1',
      host: 'shown.example',
      probability: 0.25,
      decision: 'allow',
      receivedAtMs: NOW,
    },
  ]);
});

test('feedback on a private check, an unknown id or an invalid URL is not stored, and creates no file', async () => {
  const { kept, told } = await keptOf(({ hidden }) => [
    { request_id: hidden },
    { request_id: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b' },
    { request_id: '' },
    { url: 'shown.example' },
    { url: `https://shown.example/${'a'.repeat(9000)}` },
  ]);
  expect([kept, told.filter((line) => line.includes('feedback'))]).toEqual([[], []]);
});

test('feedback with the id of a private check does not store its URL, however the id is written', async () => {
  const url = 'https://hidden.example/';
  const { kept } = await keptOf(({ hidden }) =>
    [hidden, hidden.toUpperCase(), ` ${hidden}`, '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b', ''].map((request_id) => {
      return { request_id, url, comment: url };
    }),
  );
  expect(kept).toEqual([]);
});

test('a full queue is logged once per minute, with the number of refusals since', async () => {
  let seconds = 0;
  // Each look at the clock takes it a second further.
  const clock = { now: () => NOW, monotonicMs: () => 1000 * seconds++ };
  const { told } = await keptOf(
    () => Array.from({ length: 200 }, (_, at) => ({ url: `https://a.example/${at}` })),
    undefined,
    clock,
  );
  // One client may have 100 that wait.
  const lines = told.filter((line) => line.includes('feedback.full')).map((line) => JSON.parse(line));
  expect(lines.map(({ refused }) => refused)).toEqual([1, 60]);
});

test('secrets of the URL and the comment are masked', async () => {
  const url = 'https://bob:pass@named.example/in?token=0f9c2b7e4d5a6180';
  const { kept } = await keptOf(() => [{ url, comment: 'I am a.person@mail.example, see ?token=0f9c2b7e4d5a6180' }]);
  expect(kept).toMatchObject([{ url: 'https://bob:***@named.example/in?token=***' }]);
  for (const secret of ['pass@', '0f9c2b7e', 'a.person']) expect(JSON.stringify(kept)).not.toContain(secret);
});

test('feedback that is older than the retention of the logs is deleted', async () => {
  await using directory = temporaryDirectory();
  {
    using queue = openFeedback({ dataDir: directory.path, now: CLOCK.now });
    for (const days of [91, 89]) {
      const said = {
        verdict: 'benign',
        host: `${days}.example`,
        url: `https://${days}.example/`,
        comment: '',
      } as const;
      queue.take({ ...said, receivedAtMs: NOW - days * DAY_MS, clientHash: Buffer.alloc(32) });
    }
  }
  const { kept } = await keptOf(() => [], directory.path);
  expect(kept?.map(({ host }) => host)).toEqual(['89.example']);
});

test('a damaged feedback file is set aside at the start, and feedback is stored in a new one', async () => {
  await using directory = temporaryDirectory();
  writeFileSync(feedbackFileIn(directory.path), 'no database at all '.repeat(100), { mode: 0o600 });
  const { kept, told } = await keptOf(({ shown }) => [{ request_id: shown }], directory.path);
  expect(kept?.map(({ host }) => host)).toEqual(['shown.example']);
  expect(eventsOf(told)).toEqual(['feedback.replaced']);
  expect(asideIn(directory.path)).toHaveLength(1);
});

test('a feedback file that is damaged behind its beginning is set aside, too', async () => {
  await using directory = temporaryDirectory();
  {
    using queue = openFeedback({ dataDir: directory.path, now: CLOCK.now });
    for (let n = 0; n < 99; n++) queue.take({ ...SAID, url: `https://${n}.example/${'a'.repeat(400)}` });
  }
  const bytes = readFileSync(feedbackFileIn(directory.path));
  writeFileSync(feedbackFileIn(directory.path), bytes.fill(7, 8192, 8192 + 4096 * 4));
  const { kept, told } = await keptOf(({ shown }) => [{ request_id: shown }], directory.path);
  expect(kept?.map(({ host }) => host)).toEqual(['shown.example']);
  expect(eventsOf(told)).toEqual(['feedback.replaced']);
});

test('feedback given with a key is in the audit log, other feedback is not', async () => {
  await using directory = temporaryDirectory();
  const { kept } = await keptOf(
    () => [
      { url: 'https://a.example/', client: 'key mail-gateway', verdict: 'phishing' },
      { url: 'https://b.example/', client: '192.0.2.1' },
      { url: 'no URL', client: 'key mail-gateway' },
    ],
    directory.path,
  );
  expect(kept).toHaveLength(2);
  const entries = (await Bun.file(auditFileIn(directory.path)).text()).trimEnd().split('\n');
  expect(entries.map((line) => JSON.parse(line))).toMatchObject([
    { by: { key: 'mail-gateway' }, action: 'feedback.give', subject: 'a.example', detail: { verdict: 'phishing' } },
  ]);
});

test('at most 200 pieces of feedback wait to be stored', async () => {
  const { kept } = await keptOf(() => [
    ...Array.from({ length: 199 }, () => ({ url: 'no URL' })),
    { url: 'https://a.example/' },
    { url: 'https://b.example/' },
  ]);
  expect(kept?.map(({ host }) => host)).toEqual(['a.example']);
});

test('feedback with the id of a record of the gate stores the host of its URL alone', async () => {
  const { kept } = await keptOf(({ held }) => [{ request_id: held }]);
  expect(kept).toMatchObject([
    { url: 'https://held.example:8443/', host: 'held.example', requestId: null, decision: null, probability: null },
  ]);
});

test('what is stored is reported once, and a repetition is not', async () => {
  const { kept, reported } = await keptOf(({ shown }) => [
    { request_id: shown, comment: 'mine' },
    { request_id: shown },
    { url: 'no URL' },
  ]);
  expect(kept).toMatchObject([{ comment: 'mine', clientHash: Buffer.from('me') }]);
  expect(reported).toEqual([
    expect.objectContaining({
      url: 'https://shown.example/a?id=1',
      verdict: 'benign',
      requestId: kept?.[0]?.requestId,
    }),
  ]);
});
