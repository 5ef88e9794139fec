import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceReport } from '#src/app/conditions.ts';
import { readConfig } from '#src/app/config.ts';
import { createLiveChecks } from '#src/checks/check/live-checks.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { DAY_MS, HOUR_MS, systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import type { Condition, RaisedAlert } from '#src/core/base/text/condition.ts';
import { createBackup } from '#src/parts/backup/archive/create-backup.ts';
import { consoleActivity } from '#src/parts/console/activity.ts';
import { consoleChecks, consoleNodes } from '#src/parts/console/checks.ts';
import { type StatusSources, serviceStatus } from '#src/parts/console/status.ts';
import { ABOUT } from '#test/service/server/running-server.ts';
import { auditLines } from '#test/support/audit-lines.ts';
import { type Sample, sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const BY = { key: 'desk' };
const NOW_MS = Date.now();

/** An installation with its log. */
async function openInstallation(samples: readonly Sample[] = []) {
  await using opened = new AsyncDisposableStack();
  const { path: dataDir } = opened.use(temporaryDirectory());
  const logger = createLogger('error', () => {});
  const log = opened.use(await openLocalLog({ dataDir, access: 'serve', clock: systemClock, logger }));
  for (const sample of samples) await log.append(sampleRecord(sample));
  const closing = opened.move();
  const status = async (
    flags: Readonly<Record<string, readonly string[]>> = {},
    more: Partial<StatusSources> & { readonly sources?: readonly SourceReport[]; readonly alerts?: RaisedAlert[] } = {},
  ) => {
    const { values, origins } = readConfig({ flags: { ...flags, 'data-dir': [dataDir] }, environment: {}, file: null });
    const { sources = [], alerts = [], ...parts } = more;
    return await serviceStatus({
      ...{ running: () => values, origins: () => origins, startedAt: '2026-01-31T08:00:00.000Z' },
      ...{ openedLog: { log, local: log, databases: null }, about: async () => ABOUT, conditionCodes: ['model_old'] },
      upkeep: { retention: () => ABOUT.retention },
      background: { alerts: () => alerts, listSources: () => ({ sources }), renewSources: async () => {} },
      readiness: async () => ({ problem: null, notices: [], conditions: [], parts: [] }),
      ...parts,
    });
  };
  return { dataDir, log, status, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

const check = (
  decision: 'allow' | 'warn' | 'block',
  coverage: 'full' | 'partial' | 'url_only',
  more: Sample = {},
): Sample => ({
  atMs: NOW_MS,
  ...more,
  ...{ result: { decision }, details: { coverage } },
});

test('the status counts the public checks of today by decision and coverage', async () => {
  await using ours = await openInstallation([
    check('allow', 'full'),
    check('allow', 'partial'),
    check('allow', 'partial'),
    check('warn', 'full'),
    check('block', 'url_only'),
    check('block', 'url_only'),
    check('block', 'url_only', { visibility: 'private' }),
    check('block', 'url_only', { atMs: Math.floor(NOW_MS / DAY_MS) * DAY_MS - 1 }),
  ]);
  const { checks, storage } = await ours.status();
  expect(checks).toMatchObject({ today: 6, by_decision: { allow: 3, warn: 1, block: 2 } });
  expect(checks.by_coverage).toMatchObject({ full: 2, partial: 2 });
  const sizes = (['public', 'private'] as const).map((one) => ours.log.size(one));
  expect(storage.bytes).toBe(sizes.reduce((sum, { usedBytes, walBytes }) => sum + usedBytes + walBytes, 0));
  expect(storage.bytes).toBeGreaterThan(0);
});

test('the status is answered although brands or feedback are damaged', async () => {
  await using ours = await openInstallation();
  for (const name of ['brands.json', 'feedback.sqlite']) writeFileSync(join(ours.dataDir, name), 'damaged '.repeat(99));
  const { feedback_waiting: waiting, checklist } = await ours.status();
  expect([waiting, checklist.find(({ code }) => code === 'own_brand')?.done]).toEqual([0, false]);
});

test('the nodes of a fleet are counted, unless their database cannot be reached', async () => {
  await using ours = await openInstallation();
  const { log } = ours;
  const nodes = async (fleet: () => Promise<{ readonly nodes: number }>) => {
    const { nodes: count, storage } = await ours.status({}, { openedLog: { log, local: null, databases: { fleet } } });
    return [count, storage.bytes];
  };
  expect(await nodes(async () => ({ nodes: 3 }))).toEqual([3, null]);
  expect(await nodes(() => Promise.reject(new Error('away')))).toEqual([null, null]);
});

const STEPS = ['own_brand', 'own_networks', 'tls', 'backup', 'retention', 'history_access'];

test.each<readonly [Record<string, readonly string[]>, readonly string[]]>([
  [{}, []],
  [{ 'rate-limit-cidr': ['10.0.0.0/8=0'] }, ['own_networks']],
  [{ 'feed-peers': ['10.0.0.0/8'] }, ['own_networks']],
  [{ 'egress-allow': ['10.0.0.0/8'] }, ['own_networks']],
  [{ 'egress-deny': ['203.0.113.0/24'] }, ['own_networks']],
  [{ 'trusted-proxy': ['10.0.0.1'] }, ['tls']],
  [{ 'tls-certificate': ['/cert.pem'], 'tls-key': ['/key.pem'] }, ['tls']],
  [{ 'backup-at': ['03:00'] }, ['backup']],
  [{ 'retention-days': ['90'] }, ['retention']],
  [{ 'retention-bytes': ['1000000000'] }, ['retention']],
  [{ 'retention-rows': ['1000000'] }, ['retention']],
  [{ 'public-history': ['true'] }, ['history_access']],
])('with %j the steps %j of an installation are done', async (flags, done) => {
  await using ours = await openInstallation();
  const { checklist } = await ours.status(flags);
  expect(checklist.map(({ code }) => code) as string[]).toEqual(STEPS);
  expect(checklist.filter((step) => step.done).map(({ code }) => code) as string[]).toEqual([...done]);
});

test('the latest complete backup is named, and counts as a step', async () => {
  await using ours = await openInstallation();
  const folder = join(ours.dataDir, 'backups');
  mkdirSync(folder);
  for (const [name, nowMs] of [
    ['early.backup', Date.UTC(2026, 0, 1)],
    ['late.backup', Date.UTC(2026, 0, 2)],
    ['cut.backup', Date.UTC(2026, 0, 3)],
  ] as const)
    await createBackup(join(folder, name), { dataDir: ours.dataDir, log: ours.log, nowMs, key: null });
  const cut = join(folder, 'cut.backup');
  writeFileSync(cut, (await Bun.file(cut).bytes()).subarray(0, -600));
  const { last_backup, checklist } = await ours.status();
  expect(last_backup).toEqual({ created_at: '2026-01-02T00:00:00.000Z', name: 'late.backup' });
  expect(checklist.filter(({ done }) => done).map(({ code }) => code)).toEqual(['backup']);
});

test('what the service has active is named with its age', async () => {
  await using ours = await openInstallation();
  const lists = [{ name: 'feed', entries: 3, changed_at: '2026-01-30T04:00:00.000Z' }];
  const packs = [{ name: 'acme', version: 7, publisher: 'Acme', expires_at: '2026-12-31T23:59:59.999Z' }];
  const about = async () => ({ ...ABOUT, lists, packs }) as unknown as Awaited<ReturnType<StatusSources['about']>>;
  const status = await ours.status({}, { about });
  expect([status.lists, status.packs, status.model]).toEqual([
    [{ name: 'feed', entries: 3, updated_at: '2026-01-30T04:00:00.000Z' }],
    packs,
    { version: 'test', published_at: '2026-01-31' },
  ]);
});

test('conditions are named for the operator: an obstacle first, then errors, without those that everybody gets', async () => {
  await using ours = await openInstallation();
  const since = '2026-01-31T08:00:00.000Z';
  const condition = (code: string): Condition => ({
    ...{ code, severity: 'warning', since, args: { days: 400 }, message: `It is ${code}.`, remedy: null },
  });
  const source: SourceReport = {
    ...{ name: 'feed', tried_at: since, renewed_at: null, next_at: null, problem: 'its file does not exist' },
  };
  const alert = {
    ...{ code: 'disk_full', fact: 'The disk is full.', remedy: 'Delete files.', args: {}, notice: 'Full.', sinceMs: 0 },
  };
  const readiness: StatusSources['readiness'] = async () => ({
    ...{ problem: null, notices: [], parts: [] },
    conditions: [condition('model_old'), condition('list_source_failed'), condition('unknown')],
  });
  const more = { sources: [source], alerts: [alert], readiness, conditionCodes: ['model_old', 'list_source_failed'] };
  const { health, conditions, list_sources } = await ours.status({}, more);
  expect(list_sources).toEqual([source]);
  expect(conditions.map(({ code }) => code)).toEqual(['list_source_failed', 'disk_full', 'model_old']);
  expect(conditions[2]).toEqual(condition('model_old'));
  expect(health).toEqual({
    state: 'degraded',
    notices: conditions.map(({ code, message, remedy }) => ({ code, text: message, remedy })),
  });
  expect(health.notices[1]).toEqual({ code: 'disk_full', text: 'The disk is full.', remedy: 'Delete files.' });
  const problem = { code: 'log_unavailable', detail: 'The log cannot be written.' } as const;
  const failed = await ours.status(
    {},
    { ...more, readiness: async () => ({ problem, notices: [], conditions: [], parts: [] }) },
  );
  expect([failed.health.state, failed.conditions.map(({ code }) => code)]).toEqual([
    'failed',
    ['log_unavailable', 'list_source_failed', 'disk_full'],
  ]);
  expect(failed.conditions[0]).toEqual({
    ...{ code: 'log_unavailable', severity: 'error', since: expect.stringMatching(/^\d{4}-.*Z$/), args: {} },
    ...{ message: 'The log cannot be written.', remedy: null },
  });
});

const blocked = (url: string, visibility: 'public' | 'private' = 'public'): Sample => ({
  ...{ url, visibility, atMs: NOW_MS, result: { decision: 'block' } },
});

test('the activity adds up the logs that a reader may see, the most blocked sites first', async () => {
  const few = Array.from({ length: 30 }, (_, at) => blocked(`https://www.site-${at}.example/`));
  await using ours = await openInstallation([
    ...few,
    blocked('https://a.example/1'),
    blocked('https://a.example/2', 'private'),
    blocked('https://b.example/1', 'private'),
    blocked('https://b.example/2', 'private'),
    blocked('https://b.example/3', 'private'),
    { url: 'https://c.example/', atMs: NOW_MS },
    { url: 'https://c.example/', atMs: NOW_MS, visibility: 'private', result: { decision: 'warn' } },
    { ...blocked('https://old.example/'), atMs: NOW_MS - 25 * HOUR_MS },
  ]);
  const live = createLiveChecks(systemClock);
  const passed = { gate: { requests: 2, unexamined: 1 }, mail: null };
  const open = (hasDatabases: boolean) =>
    consoleActivity({
      ...{ dataDir: ours.dataDir, log: ours.log, hasDatabases, live, passed: () => passed },
      stopping: new AbortController().signal,
    });
  const activity = open(false);
  const both = await activity.read(['private', 'public'], BY);
  expect(both.logs).toEqual(['public', 'private']);
  expect(both.hours).toHaveLength(24);
  expect(both.hours.at(-1)).toMatchObject({ allow: 1, warn: 1, block: 35 });
  expect(both.blocked_sites.slice(0, 2)).toEqual([
    { name: 'b.example', checks: 3 },
    { name: 'a.example', checks: 2 },
  ]);
  expect([both.blocked_sites.length, both.blocked_counted]).toEqual([10, 35]);
  expect(both.node).toEqual({ since: new Date(live.sinceMs()).toISOString(), sources: [], ...passed });
  expect(auditLines(ours.dataDir)).toMatchObject([{ action: 'history.read', subject: 'private' }]);
  const open1 = await activity.read(['public'], { key: 'other' });
  expect([open1.logs, open1.blocked_counted, open1.hours.at(-1)?.block]).toEqual([['public'], 31, 31]);
  expect(activity.watched(['public'], { key: 'other' })).toEqual(['public']);
  expect(auditLines(ours.dataDir)).toHaveLength(1);
  expect(activity.watched(['public', 'private'], { key: 'other' })).toEqual(['public', 'private']);
  expect(auditLines(ours.dataDir)).toHaveLength(2);
  // A node writes the private log of a database, and does not read it.
  const node = open(true);
  expect((await node.read(['public', 'private'], BY)).logs).toEqual(['public']);
  expect(node.watched(['public', 'private'], BY)).toEqual(['public']);
});

test('a node does not read the private log of a database, and its readers are named for other logs', async () => {
  await using ours = await openInstallation([blocked('https://a.example/'), blocked('https://b.example/', 'private')]);
  const { dataDir, log } = ours;
  const every = { limit: 10, cursor: null, decision: null, domain: null, fromMs: null, untilMs: null };
  const [files, node] = [consoleChecks(dataDir, log, false), consoleChecks(dataDir, log, true)];
  const page = await log.page(every, 'private');
  const [{ request_id: id = '' } = {}] = page.items;
  for (const visibility of ['public', 'private'] as const) {
    const isOpen = visibility === 'public';
    expect((await node.page(visibility, every, BY)) !== null).toBe(isOpen);
    expect((await node.messagePage(visibility, every, BY)) !== null).toBe(isOpen);
    expect(await node.find(visibility, id, BY)).toBeNull();
    expect(await node.findMessage(visibility, id, BY)).toBeNull();
  }
  expect(await files.find('public', id, BY)).toBeNull();
  expect(await files.findMessage('private', id, BY)).toBeNull();
  expect(await Bun.file(join(dataDir, 'audit.log')).exists()).toBe(false);
  expect(await files.find('private', id, BY)).not.toBeNull();
  expect(await files.page('public', every, { key: 'open' })).not.toBeNull();
  expect(await files.messagePage('public', every, { key: 'open' })).not.toBeNull();
  expect(await files.page('private', every, { key: 'page' })).toEqual(page);
  expect(await files.messagePage('private', every, { key: 'mails' })).not.toBeNull();
  expect(auditLines(dataDir)).toHaveLength(3);
});

test('nodes are asked of the database that the settings name', async () => {
  const of = (...databases: string[]) => {
    const flags =
      databases.length > 0
        ? { 'log-database': databases, 'log-database-private': ['postgres://node@127.0.0.1:1/private'] }
        : {};
    const { values } = readConfig({ flags: { ...flags, 'data-dir': ['/none'] }, environment: {}, file: null });
    return consoleNodes({ running: () => values }).list();
  };
  expect(await of()).toEqual([]);
  await expect(of('postgres://node@127.0.0.1:1/public')).rejects.toMatchObject({
    ...{ code: 'log_unavailable', message: 'The nodes cannot be read at the moment.' },
  });
});
