import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { VIAS } from '#src/checks/record/decided-by.ts';
import { isStoredMessage, storedMessageOf } from '#src/checks/store/messages/stored-message.ts';
import type { StoredCheck } from '#src/checks/store/write/stored-check.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { changeSpools, listSpools } from '#src/parts/postgres/manage-spools.ts';
import { openSpool } from '#src/parts/postgres/spool.ts';
import { filesWith } from '#test/checks/store/files-of.ts';
import { sampleMessage } from '#test/support/sample-message.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const WORD = 'zx81qqtrace';

/** Checks of every verdict, coverage and caution, with and without what may be null. */
const checkAt = (at: number): StoredCheck => ({
  requestId: createRequestId(Date.UTC(2026, 0, 1) + at),
  decision: DECISIONS[at % 3] ?? 'warn',
  probability: at / 100,
  coverage: at % 4 === 3 ? null : (COVERAGES[at % 4] ?? null),
  caution: [null, true, false][at % 3] ?? null,
  answerTimeBucket: at,
  clientHash: at % 2 === 0 ? null : Buffer.alloc(32, at),
  host: at % 5 === 0 ? 'other.example' : null,
  decidingHost: at % 7 === 0 ? 'deciding.example' : null,
  url: `https://${WORD}.example/${at}`,
  via: VIAS[at % 7] ?? null,
  reasons: at % 7 === 6 ? null : Buffer.from([0, at, 1]),
  list: at % 4 === 0 ? 'feed' : null,
  entry: at % 4 === 0 ? `${WORD}.example` : null,
  listOwner: at % 4 === 0 ? 'operator' : null,
  settings: `{"at":${at}}`,
  record: Buffer.from([at, 1, 2]),
});

const CHECKS = Array.from({ length: 24 }, (_, at) => checkAt(at));
const idsOf = (checks: readonly { readonly requestId: string }[]) => checks.map(({ requestId }) => requestId);

test('checks wait unchanged in order of arrival, also for the next process', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'spool');
  {
    using spool = openSpool(path);
    expect([spool.waiting(), spool.setAsideCount(), spool.oldest(10), spool.hasRoom()]).toEqual([0, 0, [], true]);
    spool.put(CHECKS.slice(0, 10));
    spool.put(CHECKS.slice(5));
    expect([spool.waiting(), spool.setAsideCount()]).toEqual([24, 0]);
    expect(idsOf(spool.oldest(3))).toEqual(idsOf(CHECKS.slice(0, 3)));
  }
  using spool = openSpool(path);
  expect(spool.waiting()).toBe(24);
  const waiting = spool.oldest(100).flatMap((one) => (isStoredMessage(one) ? [] : [one]));
  expect(waiting.map(({ place, ...check }) => ({ ...check, record: Buffer.from(check.record) }))).toEqual(
    CHECKS.map((check) => ({ ...check, record: Buffer.from(check.record) })),
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('messages wait behind checks, in a table that an earlier version leaves alone, and can be listed and sent again', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'public.spool');
  const messages = [0, 1, 2].map((atMs) =>
    storedMessageOf(sampleMessage({ atMs, client: 'c' }), () => Buffer.alloc(32)),
  );
  {
    using spool = openSpool(path);
    spool.put([...messages, ...CHECKS.slice(0, 2), ...messages]);
    expect([spool.waiting(), idsOf(spool.oldest(9))]).toEqual([5, idsOf(CHECKS.slice(0, 2))]);
    spool.remove(spool.oldest(9));
  }
  {
    using spool = openSpool(path);
    expect(spool.oldest(9).map(({ place, ...message }) => message)).toEqual(messages);
    const [first, second] = spool.oldest(2);
    if (!first || !second) throw new Error('two messages wait');
    spool.remove([first]);
    spool.setAside(second, '23514');
    expect([spool.waiting(), spool.setAsideCount()]).toEqual([1, 1]);
  }
  const listed = { request_id: messages[1]?.requestId, log: 'public', state: '23514' };
  expect(listSpools(directory.path)).toMatchObject({ waiting: { public: 1, private: 0 }, set_aside: [listed] });
  expect(changeSpools(directory.path, 'retry', [messages[1]?.requestId ?? ''])).toBe(1);
  expect(listSpools(directory.path)).toMatchObject({ waiting: { public: 2 }, set_aside: [] });
  const kept = new Database(path);
  expect(kept.query('select count(*) as checks from waiting').get()).toEqual({ checks: 0 });
  kept.close();
});

test('delivered checks leave no trace, and refused ones do not block others', async () => {
  await using directory = temporaryDirectory();
  using spool = openSpool(join(directory.path, 'spool'));
  spool.put(CHECKS.slice(0, 6));
  const [first, second, ...others] = spool.oldest(6);
  if (first === undefined || second === undefined) throw new Error('nothing waits');
  spool.setAside(first, '22021');
  spool.setAside(second, null);
  expect([spool.waiting(), spool.setAsideCount()]).toEqual([4, 2]);
  expect(idsOf(spool.oldest(10))).toEqual(idsOf(CHECKS.slice(2, 6)));
  using database = new Database(join(directory.path, 'spool'), { readwrite: true });
  expect(database.query('select aside_state as state from waiting where is_aside = 1 order by place').all()).toEqual([
    { state: '22021' },
    { state: null },
  ]);
  spool.remove(others.slice(0, 3));
  expect(idsOf(spool.oldest(10))).toEqual(idsOf(CHECKS.slice(5, 6)));
  database.run('pragma secure_delete = on');
  database.run('delete from waiting where is_aside = 1');
  expect(spool.setAsideCount()).toBe(2);
  spool.refresh();
  expect([spool.waiting(), spool.setAsideCount()]).toEqual([1, 0]);
  spool.remove(spool.oldest(10));
  expect([spool.waiting(), spool.oldest(10)]).toEqual([0, []]);
  database.close();
  expect(filesWith(directory.path, WORD)).toEqual([]);
});

test('a spool of version 0.1 accepts checks, and its own checks have null in later columns', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'spool');
  {
    using spool = openSpool(path);
    spool.put(CHECKS.slice(1, 2));
    using database = new Database(path, { readwrite: true });
    for (const column of ['coverage', 'caution', 'aside_state', 'deciding_host'])
      database.run(`alter table waiting drop ${column}`);
  }
  using spool = openSpool(path);
  spool.put(CHECKS.slice(2, 3));
  expect(spool.oldest(2)).toMatchObject([
    { requestId: CHECKS[1]?.requestId, coverage: null, caution: null, decidingHost: null },
    { requestId: CHECKS[2]?.requestId, coverage: CHECKS[2]?.coverage, caution: CHECKS[2]?.caution },
  ]);
  const [first] = spool.oldest(1);
  if (first) spool.setAside(first, '22021');
  expect(spool.setAsideCount()).toBe(1);
});

test('refused checks of both logs are listed in order, sent again, or dropped', async () => {
  await using directory = temporaryDirectory();
  expect(listSpools(directory.path)).toEqual({ waiting: { public: 0, private: 0 }, set_aside: [] });
  for (const [log, from] of [
    ['public', 0],
    ['private', 10],
  ] as const) {
    using spool = openSpool(join(directory.path, `${log}.spool`));
    spool.put(CHECKS.slice(from, from + 5));
    for (const one of spool.oldest(3)) spool.setAside(one, log === 'public' ? '22021' : null);
  }
  const aside = [0, 1, 2, 10, 11, 12].map((at) => ({
    request_id: CHECKS[at]?.requestId ?? '',
    log: at < 10 ? 'public' : 'private',
    timestamp: new Date(Date.UTC(2026, 0, 1) + at).toISOString(),
    state: at < 10 ? '22021' : null,
  }));
  expect(listSpools(directory.path)).toEqual({ waiting: { public: 2, private: 2 }, set_aside: aside } as never);
  expect(changeSpools(directory.path, 'drop', [aside[1]?.request_id ?? '', createRequestId(0)])).toBe(1);
  expect(
    changeSpools(
      directory.path,
      'retry',
      [aside[0], aside[5]].map((one) => one?.request_id ?? ''),
    ),
  ).toBe(2);
  expect(listSpools(directory.path)).toEqual({
    waiting: { public: 3, private: 3 },
    set_aside: [aside[2], aside[3], aside[4]],
  } as never);
  expect(changeSpools(directory.path, 'retry', null)).toBe(3);
  expect(listSpools(directory.path)).toEqual({ waiting: { public: 4, private: 5 }, set_aside: [] });
});

test('a file that is not a spool is reported with its path', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'spool');
  await Bun.write(path, 'no database '.repeat(100));
  expect(() => openSpool(path)).toThrow(path);
  expect(() => openSpool(join(directory.path, 'none', 'spool'))).toThrow('No log at');
});
