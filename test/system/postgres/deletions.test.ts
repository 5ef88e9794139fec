import { afterAll, expect, test } from 'bun:test';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { showDatabaseUrl } from '#src/checks/store/database-url.ts';
import type { DeletionTarget } from '#src/checks/store/deletions/deletion-target.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { hostOf } from '#src/core/url/host.ts';
import { openDatabaseDeletions } from '#src/parts/postgres/database-deletions.ts';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';
import { readNodes } from '#src/parts/postgres/nodes/read-nodes.ts';
import { openDatabaseLog } from '#test/support/database-log.ts';
import { lurecheck } from '#test/support/executable.ts';
import { type Databases, makeDatabases, startPostgres } from '#test/support/postgres.ts';
import { sampleMessage } from '#test/support/sample-message.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const HASH = Buffer.alloc(32, 7);
const HOSTS = ['gone.example', 'www.gone.example', 'kept.example', 'notgone.example'];
const DECISIONS = ['allow', 'warn', 'block'] as const;
const NOW_MS = Date.now();

/** Of some hosts, over three days. */
function recordsOf(visibility: Visibility): CheckRecord[] {
  return Array.from({ length: 360 }, (_, i) =>
    sampleRecord({
      visibility,
      url: `https://${HOSTS[i % HOSTS.length]}/${i}`,
      atMs: NOW_MS - (i % 3) * DAY_MS - i * 1000,
      ...(i % 5 === 0 && { decidingHost: hostOf(`a.evil${i % 4}.co.uk`) }),
      result: { decision: DECISIONS[(i * i) % 3] ?? 'allow', malicious_probability: (i % 101) / 100 },
    }),
  );
}

const isOfDomain = ({ host }: CheckRecord, domain: string) => host.text === domain || host.text.endsWith(`.${domain}`);

async function rowsOf(databases: Databases, visibility: Visibility, statement: string): Promise<unknown[]> {
  return await onDatabase(databases.url(visibility, 'owner'), async ({ sql }) =>
    Array.from(await sql.unsafe(statement)),
  );
}

const COUNTED = `select measure, period_start_ms::float8 as period, bucket, sum(checks)::int as checks from counts
  group by 1, 2, 3 order by 1, 2, 3`;
const BLOCKED = `select day_ms::float8 as day, kind, name, sum(checks)::int as checks from blocked group by 1, 2, 3 order by 1, 2, 3`;

const KINDS: readonly (readonly [
  name: string,
  which: DeletionTarget,
  isMeant: (record: CheckRecord, first: string) => boolean,
])[] = [
  ['a domain', { by: 'domain', wanted: 'gone.example' }, (record) => isOfDomain(record, 'gone.example')],
  [
    'a moment',
    { by: 'before', wanted: new Date(NOW_MS - 1.2 * DAY_MS).toISOString() },
    ({ result }) => Date.parse(result.timestamp) < NOW_MS - 1.2 * DAY_MS,
  ],
  ['an id', { by: 'id', wanted: '' }, ({ result }, first) => result.request_id === first],
];

test.each(KINDS)(
  'a deletion by %s removes the matching checks from the log, its index and its counts, and nothing else',
  async (_, which, isMeant) => {
    for (const visibility of ['public', 'private'] as const) {
      await using directory = temporaryDirectory();
      const [databases, others] = [await makeDatabases(server), await makeDatabases(server)];
      const records = recordsOf(visibility);
      const first = records[0]?.result.request_id ?? '';
      const meant = which.by === 'id' ? { ...which, wanted: first } : which;
      const kept = records.filter((record) => !isMeant(record, first));
      for (const [name, into, those] of [
        ['a', databases, records],
        ['b', others, kept],
      ] as const) {
        await using log = await openDatabaseLog(into, `${directory.path}/${name}`);
        await Promise.all(those.map((record) => log.append(record)));
      }
      await using deletions = openDatabaseDeletions(visibility, [databases.url(visibility, 'owner')]);
      expect(await deletions.count(meant)).toBe(records.length - kept.length);
      const { deletion } = await deletions.remove(meant, HASH, NOW_MS);
      expect(deletion).toMatchObject({ removed: records.length - kept.length, doneAtMs: expect.any(Number) });
      expect(await deletions.count(meant)).toBe(0);
      // As if it had never been there.
      for (const statement of ['select request_id::text as id, url from checks order by 1', COUNTED, BLOCKED]) {
        const [left, never] = [
          await rowsOf(databases, visibility, statement),
          await rowsOf(others, visibility, statement),
        ];
        expect([statement, left]).toEqual([statement, never]);
      }
    }
  },
);

test('keeps and counts checks that arrive meanwhile', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  await using log = await openDatabaseLog(databases, directory.path);
  const of = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      log.append(sampleRecord({ url: `https://gone.example/${i}`, atMs: Date.now(), result: { decision: 'block' } })),
    );
  await Promise.all(of(1500));
  await using deletions = openDatabaseDeletions('public', [databases.url('public', 'owner')]);
  const deleting = deletions.remove({ by: 'domain', wanted: 'gone.example' }, HASH, NOW_MS);
  let isDone = false;
  const done = deleting.finally(() => {
    isDone = true;
  });
  // The first comes before the deletion is asked for, and so do some of the next.
  while (!isDone) await Promise.all(of(5));
  const { deletion } = await done;
  expect(deletion.removed).toBeGreaterThanOrEqual(1500);
  const [left] = await rowsOf(
    databases,
    'public',
    `select (select count(*)::int from checks) as checks, (select count(domain_1)::int from checks) as found,
     (select coalesce(sum(checks), 0)::int from counts where measure = 0) as counted,
     (select coalesce(sum(checks), 0)::int from blocked where kind = 0) as blocked, (select count(*)::int from deletions) as asked`,
  );
  const checks = (await Array.fromAsync(log.read('public', EVERY_CHECK))).length;
  expect(left).toEqual({ checks, found: checks, counted: checks, blocked: checks, asked: 1 });
});

test('the record is append-only for every role, and names neither site nor check', async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  {
    await using log = await openDatabaseLog(databases, directory.path);
    await log.append(sampleRecord({ url: 'https://gone.example/' }));
  }
  await using deletions = openDatabaseDeletions('public', [databases.url('public', 'owner')]);
  await deletions.remove({ by: 'domain', wanted: 'gone.example' }, HASH, NOW_MS);
  for (const statement of [
    'delete from deletions',
    'truncate deletions',
    'update deletions set removed = 0',
    "update deletions set wanted_hash = '\\x00'",
  ]) {
    await expect(rowsOf(databases, 'public', statement)).rejects.toThrow('stays on record');
  }
  expect(JSON.stringify(await rowsOf(databases, 'public', 'select * from deletions'))).not.toContain('gone');
  const [asNode] = [databases.url('public', 'node'), databases.url('public', 'operator')].map((url) =>
    openDatabaseDeletions('public', [url]),
  );
  await expect(asNode?.remove({ by: 'domain', wanted: 'x.example' }, HASH, NOW_MS)).rejects.toThrow('only the owner');
  await asNode?.[Symbol.asyncDispose]();
});

test("history delete and deletions work on databases with the owner's URL", async () => {
  await using directory = temporaryDirectory();
  const databases = await makeDatabases(server);
  const flagsFor = (role: 'owner' | 'node' | 'operator') => [
    ...['--log-database', showDatabaseUrl(databases.url('public', role))],
    ...['--log-database-private', showDatabaseUrl(databases.url('private', role))],
    ...['--data-dir', directory.path],
  ];
  {
    await using log = await openDatabaseLog(databases, directory.path);
    for (const visibility of ['public', 'private'] as const) {
      for (const url of ['https://gone.example/', 'https://a.gone.example/', 'https://kept.example/']) {
        await log.append(sampleRecord({ visibility, url, atMs: Date.now() }));
      }
    }
  }
  // What an earlier one has left to do, which was ended.
  await rowsOf(
    databases,
    'private',
    `insert into deletions (asked_at_ms, by, wanted, wanted_hash, last_logged, removed)
     values (${Date.now()}, 'domain', 'a.gone.example', '\\x07', 100, 0)`,
  );
  // And a node some checks of which have not arrived.
  await rowsOf(databases, 'public', "update nodes set waiting = 3, seen_at = date_trunc('second', now())");
  const [node] = await onDatabase(databases.url('public', 'owner'), readNodes);
  const late = `lurecheck: 3 checks in the spool of the node node-1 at ${node?.seen_at}: repeat the deletion once lurecheck nodes shows none\n`;
  const words = ['--domain', 'gone.example', '--yes'];
  expect(await lurecheck(['history', 'delete', ...words, ...flagsFor('owner')])).toEqual({
    exitCode: 0,
    stdout: '2 checks deleted from the public log\n',
    stderr: late,
  });
  const hidden = await lurecheck(['history', 'delete', '--private', ...words, ...flagsFor('owner')]);
  expect([hidden.exitCode, hidden.stdout]).toEqual([0, '1 check deleted from the private log\n']);
  expect(hidden.stderr).toMatch(/^lurecheck: also completed the deletion requested at .+: 1 check\n/);
  expect(hidden.stderr).toEndWith(late);
  for (const more of [[], ['--private']]) {
    const { stdout } = await lurecheck(['log', '--format', 'tsv', ...more, ...flagsFor('operator')]);
    expect(stdout).toMatch(/^https:\/\/kept\.example\/\t[^\n]+\n$/);
  }
  // Nodes that use another server by now may have the checks there.
  await rowsOf(databases, 'public', "update nodes set waiting = 0, seen_at = '2026-01-01T00:00:00Z'");
  const unused = await lurecheck(['history', 'delete', '--domain', 'unused.example', '--yes', ...flagsFor('owner')]);
  expect([unused.exitCode, unused.stderr]).toEqual([1, expect.stringContaining('since 2026-01-01T00:00:00.000Z')]);
  const listed = await lurecheck(['history', 'deletions', '--domain', 'gone.example', ...flagsFor('owner')]);
  expect(listed.stdout).toMatch(/^\S+Z {2}domain #[\da-f]{64} {2}2 checks\n$/);
  const refused = await lurecheck(['history', 'delete', '--domain', 'kept.example', '--yes', ...flagsFor('node')]);
  expect(refused).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'lurecheck: Nothing more is deleted: only the owner of the database may delete: name its URL.\n',
  });
});

test.each(['public', 'private'] as const)(
  'messages of the %s log are deleted by id and by time with their counts',
  async (visibility) => {
    await using directory = temporaryDirectory();
    const databases = await makeDatabases(server);
    await using log = await openDatabaseLog(databases, directory.path);
    const messages = Array.from({ length: 6 }, (_, i) =>
      sampleMessage({ visibility, atMs: NOW_MS - (5 - i) * DAY_MS }),
    );
    for (const message of messages) await log.messages.append(message);
    await using deletions = openDatabaseDeletions(visibility, [databases.url(visibility, 'owner')]);
    const remove = async (target: DeletionTarget) => {
      const count = await deletions.count(target);
      const { deletion } = await deletions.remove(target, HASH, NOW_MS);
      return [count, deletion.removed, deletion.doneAtMs !== null];
    };
    expect(await remove({ by: 'id', wanted: messages[4]?.request_id ?? '' })).toEqual([1, 1, true]);
    const wanted = new Date(NOW_MS - 3.5 * DAY_MS).toISOString();
    expect(await remove({ by: 'before', wanted })).toEqual([2, 2, true]);
    expect(await remove({ by: 'domain', wanted: 'gone.example' })).toEqual([0, 0, true]);
    const left = await rowsOf(databases, visibility, 'select request_id from messages order by request_id');
    expect(left).toEqual([2, 3, 5].map((i) => ({ request_id: messages[i]?.request_id })));
    const counted = (await rowsOf(databases, visibility, COUNTED)) as { measure: number; checks: number }[];
    const sum = counted.filter(({ measure }) => measure === 3).reduce((total, { checks }) => total + checks, 0);
    expect(sum).toBe(visibility === 'public' ? 3 : 0);
  },
);
