import { expect, test } from 'bun:test';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createTurns } from '#src/core/base/turns.ts';
import { createBackup } from '#src/parts/backup/archive/create-backup.ts';
import { consoleActs } from '#src/parts/console/console-place.ts';
import { openAdministered } from '#test/service/server/admin/administered.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('the status shows checks of today, storage, and what is still to be installed', async () => {
  await using service = await openAdministered({ flags: { 'public-history': ['true'] } });
  const { status, body } = await service.call('GET', 'status', { as: 'lists' });
  expect([status, body]).toEqual([
    200,
    {
      health: { state: 'ready', notices: [] },
      conditions: [],
      list_sources: [],
      ...{ version: '1.2.3', started_at: expect.any(String), model: { version: 'test', published_at: '2026-01-31' } },
      checks: {
        today: 0,
        by_decision: { allow: 0, warn: 0, block: 0 },
        by_coverage: { full: 0, partial: 0, url_only: 0 },
      },
      storage: {
        ...{ bytes: expect.any(Number), free_bytes: expect.any(Number) },
        retention: { days: 90, bytes: null, rows: null },
      },
      ...{ lists: [], packs: [], nodes: null, last_backup: null, feedback_waiting: 0 },
      checklist: ['own_brand', 'own_networks', 'tls', 'backup', 'retention', 'history_access'].map((code) => ({
        ...{ code, done: code === 'history_access' },
      })),
    },
  ]);
});

test('the settings are shown with value, source and whether a reload applies them', async () => {
  await using service = await openAdministered({ flags: { contact: ['soc@x.example'], 'retention-days': ['30'] } });
  const { body } = await service.call('GET', 'settings');
  const named = (wanted: string) => body.items.find(({ name }: { name: string }) => name === wanted);
  expect(named('contact')).toEqual({
    ...{ name: 'contact', value: 'soc@x.example', source: 'flag', reloadable: true, common: true },
    description: expect.stringContaining('Contact of the operator'),
  });
  expect(body.items.filter(({ common }: { common: boolean }) => common)).toHaveLength(15);
  expect(named('retention_days')).toMatchObject({
    name: 'retention_days',
    value: 30,
    source: 'flag',
    reloadable: false,
  });
  expect(named('rate_limit')).toMatchObject({ value: 20, source: 'default' });
});

test('without a database and a gate there are no nodes and no hosts', async () => {
  await using service = await openAdministered();
  expect((await service.call('GET', 'nodes')).body).toEqual({ items: [] });
  const none = { mode: null, watching_since: null, since: null, passed: null, hosts: [] };
  for (const query of ['', '?since=2026-01-31', '?since=2026-01-31T12:00:00Z'])
    expect([query, (await service.call('GET', `gate${query}`, { as: 'lists' })).body]).toEqual([query, none]);
  expect((await service.call('GET', 'gate?since=yesterday')).code).toBe('400 invalid_parameter');
});

test('the report of the gate begins when it began to watch, or when it is asked to', async () => {
  await using service = await openAdministered({ flags: { 'icap-listen': ['127.0.0.1:0'] } });
  const { body } = await service.call('GET', 'gate?since=2026-01-31T12:00:00Z');
  expect(body).toEqual({
    mode: 'watch',
    watching_since: null,
    since: '2026-01-31T12:00:00.000Z',
    passed: null,
    hosts: [],
  });
  expect((await service.call('GET', 'gate')).body).toMatchObject({ mode: 'watch', since: null });
});

test('backups are listed with their schedule and downloaded as they are', async () => {
  await using folder = temporaryDirectory();
  const flags = { 'backup-dir': [folder.path], 'backup-at': ['03:05'], 'backup-keep': ['9'] };
  await using service = await openAdministered({ urls: ['http://one.example/'], flags });
  const [name, path] = ['lurecheck-1.backup', join(folder.path, 'lurecheck-1.backup')];
  const nowMs = Date.UTC(2026, 0, 31, 3);
  const about = await createBackup(path, { dataDir: service.dataDir, log: service.log, nowMs, key: null });
  mkdirSync(join(folder.path, 'folder.backup'));
  writeFileSync(join(folder.path, 'notes.txt'), 'no backup');
  const { body } = await service.call('GET', 'backups');
  const bytes = Bun.file(path).size;
  expect(body).toEqual({
    items: [
      {
        ...{ name, created_at: '2026-01-31T03:00:00.000Z', bytes, complete: true, version: about.version },
        checks: { public: 1, private: 0 },
      },
    ],
    schedule: { at: '03:05', dir: folder.path, keep: 9 },
  });
  const { secretOf, server } = service.console;
  const download = await fetch(`${server.url}/api/admin/backups/${name}`, {
    headers: { authorization: `Bearer ${secretOf('admin')}` },
  });
  const { headers } = download;
  expect(['content-type', 'content-disposition', 'cache-control'].map((one) => headers.get(one))).toEqual([
    ...['application/x-tar', `attachment; filename="${name}"`, 'no-store'],
  ]);
  expect(Buffer.from(await download.bytes()).equals(Buffer.from(await Bun.file(path).bytes()))).toBe(true);
  for (const other of ['none.backup', 'notes.txt', 'folder.backup', '..', '..%2Fkeys.json']) {
    const missing = await service.call('GET', `backups/${other}`);
    expect([other, missing.status]).toEqual([other, 404]);
  }
});

test('a backup needs a folder that the operator names', async () => {
  await using service = await openAdministered();
  expect((await service.call('GET', 'backups')).body).toEqual({
    items: [],
    schedule: { at: null, dir: null, keep: 7 },
  });
  const refused = await service.call('POST', 'backups');
  expect([refused.code, refused.body.detail]).toEqual([
    '409 conflict',
    'Set backup_dir to the folder for backups, best on another disk, and restart the service.',
  ]);
});

test('nodes and hosts are shown as they are read', async () => {
  const node = {
    ...{ name: 'node-1', version: '1.0.0', model_version: 'm1', lists_version: '', waiting: 3, set_aside: 1 },
    ...{ started_at: '2026-01-01T00:00:00.000Z', seen_at: '2026-01-31T12:00:00.000Z', ahead_seconds: 0.5 },
    ...{ prints: { settings: '3f9a0c' }, is_alive: false, differs: ['settings', 'version'] },
  };
  const host = {
    ...{ host: 'evil.example', records: 3, clients: 2, held: 1, rules: ['spelling'] },
    ...{ reasons: ['url.brand_in_subdomain'], via: 'gate' as const, decided_by: null },
    last: '2026-01-31T12:00:00.000Z',
  };
  const passed = { requests: 5, unexamined: 1 };
  const report = { mode: 'hold' as const, watching_since: null, since: null, hosts: [host] };
  await using service = await openAdministered({
    instead: () => ({
      nodes: { list: async () => [node] },
      gate: { report: async () => ({ ...report, passed }), test: async () => null },
    }),
  });
  expect((await service.call('GET', 'nodes')).body).toEqual({ items: [node] });
  expect((await service.call('GET', 'gate')).body).toEqual({ ...report, passed });
});

test('a URL is tested at the gate with or without its scheme, as the gate reads it', async () => {
  const asked: string[] = [];
  const said = {
    ...{ url: 'https://evil.example/', mode: 'watch' as const, rule: 'list-blocks', would_hold: true },
    ...{ unexamined: false, decision: 'block' as const, malicious_probability: null, gate_block: 0.9 },
    ...{ reasons: [{ code: 'lists.kept_blocked', weight: 12 }], decided_by: null },
  };
  const none = { report: async () => null, passed: () => null };
  await using service = await openAdministered({
    instead: () => ({
      gate: {
        ...none,
        async test(url: string) {
          asked.push(url);
          return said;
        },
      },
    }),
  });
  const tested = async (url: unknown, as: 'lists' | 'feedback' = 'lists') =>
    await service.call('POST', 'gate/test', { as, body: { url } });
  for (const url of ['evil.example', 'HTTPS://evil.example/', 'view-source.x+y-1://evil.example', '9p://evil.example'])
    expect([url, (await tested(url)).body]).toEqual([url, said]);
  expect(asked).toEqual([
    ...['http://evil.example', 'HTTPS://evil.example/', 'view-source.x+y-1://evil.example', 'http://9p://evil.example'],
  ]);
  const refused = await tested('http://a b/');
  expect([refused.code, refused.body.errors]).toEqual([
    '400 invalid_url',
    [{ field: 'url', message: expect.any(String) }],
  ]);
  expect((await tested(5)).code).toBe('400 invalid_body');
  expect((await tested('evil.example', 'feedback')).code).toBe('403 forbidden_scope');
  await using other = await openAdministered();
  const gateless = await other.call('POST', 'gate/test', { as: 'lists', body: { url: 'evil.example' } });
  expect([gateless.code, gateless.body.detail]).toEqual([
    '404 switched_off',
    'This service is no gate of a web proxy: set icap_listen.',
  ]);
});

test('list sources are tried again when that is asked for, and reported as they are then', async () => {
  const source = { name: 'feed', tried_at: null, renewed_at: null, next_at: null, problem: 'it is away' };
  let renewals = 0;
  await using service = await openAdministered({
    instead: () => ({
      async renewSources() {
        renewals++;
        return [source];
      },
    }),
  });
  const renewed = await service.call('POST', 'list-sources/renew', { as: 'lists' });
  expect([renewed.status, renewed.body, renewals]).toEqual([200, { items: [source] }, 1]);
  expect((await service.call('POST', 'list-sources/renew', { as: 'feedback' })).code).toBe('403 forbidden_scope');
  expect(renewals).toBe(1);
});

test('a new backup is answered once it is in the folder, and a failed one with its reason', async () => {
  await using folder = temporaryDirectory();
  let to = join(folder.path, 'first.backup');
  await using service = await openAdministered({
    flags: { 'backup-dir': [folder.path] },
    // The command that makes it is a process of the executable.
    instead(dataDir, log, place) {
      const write = async (path: string) => {
        await createBackup(to, { dataDir, log, nowMs: 0, key: null });
        if (to === path) return;
        renameSync(to, path);
        to = path;
      };
      return { acts: consoleActs({ ...place, write }, createTurns()) };
    },
  });
  const created = await service.call('POST', 'backups');
  expect([created.status, created.body]).toMatchObject([201, { name: basename(to), complete: true }]);
  const again = await service.call('POST', 'backups');
  expect([again.code, again.body.detail]).toEqual(['409 conflict', expect.stringMatching(/already.*\.$/)]);
});

test('a new backup that is not in the folder is not answered as one', async () => {
  await using folder = temporaryDirectory();
  await using service = await openAdministered({
    flags: { 'backup-dir': [folder.path] },
    instead: (_dataDir, _log, place) => ({ acts: consoleActs({ ...place, write: async () => {} }, createTurns()) }),
  });
  const gone = await service.call('POST', 'backups');
  const detail = expect.stringMatching(/^lurecheck-\d{8}T\d{6}Z\.backup is not there any more\.$/);
  expect([gone.code, gone.body.detail]).toEqual(['409 conflict', detail]);
});
