import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import type { MessageRecord } from '#src/checks/record/message-record.ts';
import type { LocalLog } from '#src/checks/store/local-log.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { lossText } from '#src/checks/store/recovery/recoveries.ts';
import { DAY_MS, HOUR_MS } from '#src/core/base/clock.ts';
import { requestIdBytes } from '#src/core/base/request-id.ts';
import { sampleMessage } from '#test/support/sample-message.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { breakRoot } from './break-root.ts';
import { filesWithAny } from './files-of.ts';
import { openLog } from './open-log.ts';
import { expectSound } from './sound.ts';

const START_MS = Date.UTC(2026, 0, 1);
const VISIBILITIES = ['public', 'private'] as const;
const ALL = { decision: null, fromMs: null, untilMs: null };

const idsIn = async (log: LocalLog, visibility: MessageRecord['visibility'] = 'public') =>
  (await Array.fromAsync(log.messages.read(visibility, ALL))).map(({ message }) => message.request_id).toReversed();

/** Appends messages a day apart. */
async function fill(log: LocalLog, count: number, given: Partial<MessageRecord> = {}): Promise<string[]> {
  const records = Array.from({ length: count }, (_, i) => sampleMessage({ atMs: START_MS + i * DAY_MS, ...given }));
  for (const record of records) await log.messages.append(record);
  return records.map((record) => record.request_id);
}

const countsIn = (path: string) => {
  using file = new Database(`${path}/public.sqlite`, { readonly: true });
  return file.query("select sum(checks) as sum, count(*) as rows from counts where measure = 'message_by_hour'").get();
};

test('messages that are too old are removed with their counts, whatever checks stay', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  for (const visibility of VISIBILITIES) {
    const ids = await fill(log, 10, { visibility, client: 'a client' });
    await log.append(sampleRecord({ visibility, atMs: START_MS + 5 * DAY_MS }));
    expect(await log.purge(visibility, START_MS + 4 * DAY_MS)).toBe(4);
    expect(await idsIn(log, visibility)).toEqual(ids.slice(4));
    expect(await Array.fromAsync(log.read(visibility, EVERY_CHECK))).toHaveLength(1);
    expect(await log.purge(visibility, START_MS + 4 * DAY_MS)).toBe(0);
  }
  expect(countsIn(directory.path)).toEqual({ sum: 6, rows: 6 });
});

test('a log of messages alone is trimmed to its bounds', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  const links = Array.from({ length: 50 }, () => ({ request_id: sampleRecord().result.request_id }));
  const records = Array.from({ length: 1000 }, (_, i) => sampleMessage({ atMs: START_MS + i, links }));
  await Promise.all(records.map((record) => log.messages.append(record)));
  const bytes = Math.floor(0.8 * log.size('public').usedBytes);
  let removed = 0;
  for (let more = -1; more !== 0; removed += more) more = await log.trim('public', { rows: 0, bytes }, 0);
  expect(removed).toBeGreaterThan(0);
  expect(log.size('public').usedBytes).toBeLessThanOrEqual(bytes);
  expect(await idsIn(log)).toEqual(records.slice(removed).map((record) => record.request_id));
  await log.trim('public', { rows: 200, bytes: 0 }, 0);
  expect((await idsIn(log)).length).toBeLessThanOrEqual(200);
});

test('a deletion by id or time removes messages without a trace, one by domain the checks of their links', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  const link = sampleRecord({ visibility: 'private', url: 'https://evil.example/', atMs: START_MS });
  await log.append(link);
  const links = [{ request_id: link.result.request_id }];
  const ids = await fill(log, 6, { visibility: 'private', links, client: 'a client' });
  const [, second = '', , fourth = ''] = ids;
  const remove = async (by: 'id' | 'domain' | 'before', wanted: string) => {
    const count = log.deletions.count('private', { by, wanted });
    log.deletions.ask('private', { by, wanted });
    const [done] = await log.deletions.finish('private');
    return [count, done?.removed, done?.wanted];
  };
  expect(await remove('id', fourth)).toEqual([1, 1, null]);
  expect(await remove('id', fourth)).toEqual([0, 0, null]);
  expect(await remove('domain', 'evil.example')).toEqual([1, 1, null]);
  const until = new Date(START_MS + DAY_MS).toISOString();
  expect(await remove('before', until)).toEqual([1, 1, until]);
  expect(await idsIn(log, 'private')).toEqual([second, ...ids.slice(2, 3), ...ids.slice(4)]);
  expect(await log.find('private', link.result.request_id)).toBeNull();
  expect(filesWithAny(directory.path, [requestIdBytes(fourth)])).toEqual([]);
  expect(filesWithAny(directory.path, [requestIdBytes(second)])).not.toEqual([]);
  expectSound(`${directory.path}/private.sqlite`);
});

test('a damaged log is replaced with its messages, but for deleted ones, each once', async () => {
  await using directory = temporaryDirectory();
  const first = await openLog(directory.path);
  const ids = await fill(first, 300);
  await first.append(sampleRecord());
  const [gone = ''] = ids;
  first.deletions.ask('public', { by: 'id', wanted: gone });
  await first.deletions.finish('public');
  const before = await first.messages.find('public', ids[7] ?? '');
  breakRoot(`${directory.path}/public.sqlite`, 'messages_by_decision');
  await first.messages.page({ ...ALL, limit: 1, cursor: null }, 'public').catch(String);
  const meanwhile = sampleMessage({ atMs: START_MS + 400 * DAY_MS });
  await first.messages.append(meanwhile);
  await first.examine('public');
  expect(await idsIn(first)).toEqual([...ids.slice(1), meanwhile.request_id]);
  expect(await first.messages.find('public', ids[7] ?? '')).toEqual(before);
  // The oldest go first, though they were copied last.
  expect(await first.purge('public', START_MS + 10 * DAY_MS)).toBe(9);
  await first[Symbol.asyncDispose]();
  expectSound(`${directory.path}/public.sqlite`);
  expect(countsIn(directory.path)).toEqual({ sum: 291, rows: 291 });
});

test('a recovery names messages that it could not read, beside checks', () => {
  const sums = { copied: 200, present: 0, erased: 0, lost: 0, isAtMost: false };
  expect(lossText({ ...sums, messages: { readable: 198, lost: 0 } })).toBe('None is missing.');
  expect(lossText({ ...sums, messages: { readable: 113, lost: 85 } })).toBe('At least 85 messages are missing.');
  expect(lossText({ ...sums, lost: 2, isAtMost: true, messages: { readable: 9, lost: 1 } })).toBe(
    'At most 2 checks are missing. Up to 1 message is missing.',
  );
});

test('private messages do not come into the public log from a file', async () => {
  await using directory = temporaryDirectory();
  await using log = await openLog(directory.path);
  await fill(log, 1, { visibility: 'private', client: 'a client' });
  log.backUp('private', `${directory.path}/copy`);
  expect(await log.recover('public', `${directory.path}/copy`).catch(String)).toContain('private messages');
  expect(await idsIn(log)).toEqual([]);
});

test('statistics count public messages by decision, apart from checks of URLs', async () => {
  await using directory = temporaryDirectory();
  const clock = { now: () => START_MS + 2 * HOUR_MS, monotonicMs: () => 0 };
  await using log = await openLog(directory.path, { clock });
  await log.messages.append(sampleMessage({ atMs: START_MS + HOUR_MS, decision: 'block' }));
  await log.messages.append(sampleMessage({ atMs: START_MS + HOUR_MS, decision: 'block' }));
  await log.messages.append(sampleMessage({ atMs: START_MS + HOUR_MS, visibility: 'private' }));
  const { messages, hours, days } = await log.stats();
  const start = (ms: number) => new Date(ms).toISOString();
  expect([messages.hours.at(-2), messages.days.at(-1)]).toEqual([
    { start: start(START_MS + HOUR_MS), allow: 0, warn: 0, block: 2 },
    { start: start(START_MS), allow: 0, warn: 0, block: 2 },
  ]);
  expect([hours.at(-2), days.at(-1)]).toMatchObject([{ block: 0 }, { block: 0 }]);
});
