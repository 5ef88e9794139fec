import { afterAll, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const FROM_HERE = { ...EVERY_CHECK, limit: 50 };

test('a walk stops before a check that has its number but is not committed', async () => {
  await using opened = new AsyncDisposableStack();
  const directory = opened.use(temporaryDirectory());
  const databases = await makeDatabases(server);
  const log = opened.use(await openDatabaseLog(databases, directory.path));
  const [before, late, after] = [sampleRecord(), sampleRecord(), sampleRecord()];
  await log.append(before);
  const first = await log.walk({ ...FROM_HERE, after: '' });
  expect(first.items.map(({ request_id }) => request_id)).toEqual([before.result.request_id]);

  const { user, database } = databases.url('public', 'owner');
  const path = `${server.path}/.s.PGSQL.5432`;
  await using slow = new SQL({ adapter: 'postgres', path, username: user, database, max: 1 });
  // Another node's check: its number is given out, and its transaction goes on.
  await slow.unsafe('begin');
  await slow.unsafe(
    `insert into checks (request_id, decision, probability, answer_time_bucket, url, in_force, record)
     select $1, decision, probability, answer_time_bucket, url, in_force, record from checks limit 1`,
    [late.result.request_id],
  );
  await log.append(after);
  const meanwhile = await log.walk({ ...FROM_HERE, after: first.next });
  expect(meanwhile.items).toEqual([]);
  expect((await log.walk({ ...FROM_HERE, after: meanwhile.next })).items).toEqual([]);

  await slow.unsafe('commit');
  const then = await log.walk({ ...FROM_HERE, after: meanwhile.next });
  expect(then.items.map(({ request_id }) => request_id)).toEqual([late.result.request_id, after.result.request_id]);
  // One that is never committed holds nobody up, and leaves a number that nobody has.
  await slow.unsafe('begin');
  await slow.unsafe("select nextval('checks_logged')");
  const last = sampleRecord();
  await log.append(last);
  const rest = await log.walk({ ...FROM_HERE, after: then.next });
  expect(rest.items.map(({ request_id }) => request_id)).toEqual([last.result.request_id]);
  await slow.unsafe('rollback');
});

test('a walk over two nodes that write continuously has no gap', async () => {
  await using opened = new AsyncDisposableStack();
  const databases = await makeDatabases(server);
  const nodes = await Promise.all(
    ['one', 'two'].map(async (nodeName) =>
      opened.use(await openDatabaseLog(databases, opened.use(temporaryDirectory()).path, { nodeName })),
    ),
  );
  const written: string[] = [];
  let left = nodes.length;
  const writing = nodes.map(async (node) => {
    for (let turn = 0; turn < 40; turn++) {
      const records = Array.from({ length: 5 }, () => sampleRecord());
      await Promise.all(records.map((record) => node.append(record)));
      written.push(...records.map(({ result }) => result.request_id));
    }
    left--;
  });
  const told: string[] = [];
  for (let [after, isDone] = ['', false]; !isDone; ) {
    const wasLast = left === 0;
    const { items, next, isEnd } = (await nodes[0]?.walk({ ...FROM_HERE, after })) ?? {
      items: [],
      next: '',
      isEnd: true,
    };
    told.push(...items.map(({ request_id }) => request_id));
    after = next;
    isDone = wasLast && isEnd;
  }
  await Promise.all(writing);
  expect(told.toSorted()).toEqual(written.toSorted());
});
