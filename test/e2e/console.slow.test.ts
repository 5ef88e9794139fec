import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fusion from '#src/engine/models/fusion.json' with { type: 'json' };
import lexicalPath from '#src/engine/models/lexical.bin' with { type: 'file' };
import { lurecheck } from '#test/support/executable.ts';
import { BRANDS, packDesk, STRICT, THRESHOLDS } from '#test/support/pack-desk.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const URL_CHECKED = 'https://www.example.org/';

/** A service with a key per scope, a second model, and a publisher that it trusts. */
async function openBench() {
  await using opened = new AsyncDisposableStack();
  const { path } = opened.use(temporaryDirectory());
  const desk = packDesk(path);
  const { dataDir } = desk;
  const acme = desk.keyFile('acme');
  await desk.trust(acme);
  const keys = new Map<string, string>();
  for (const scope of ['admin', 'lists', 'feedback', 'history', 'check']) {
    const made = await lurecheck(['key', 'create', scope, '--scope', scope, '--data-dir', dataDir]);
    if (made.exitCode !== 0) throw new Error(made.stderr);
    keys.set(scope, made.stdout.trim());
  }
  const strict = join(path, 'strict');
  mkdirSync(strict);
  cpSync(lexicalPath, join(strict, 'lexical.bin'));
  const weights = { ...fusion, name: 'strict', thresholds: { warn: 0.000001, block: 0.999999 } };
  writeFileSync(join(strict, 'fusion.json'), JSON.stringify(weights));
  for (const args of [
    ['use', strict],
    ['use', 'shipped'],
  ])
    await lurecheck(['model', ...args, '--data-dir', dataDir]);
  const backups = join(path, 'backups');
  const service = opened.use(
    await startService(dataDir, ['--backup-dir', backups, '--retention-days', '30'], {
      LURECHECK_CONTACT: 'soc@x.example',
    }),
  );
  for (const url of [URL_CHECKED, 'http://login-nordwerk.com/', 'https://example.com/']) await service.result(url);
  const call = (
    method: string,
    address: string,
    { as = 'admin', body, headers = {} }: { as?: string | null; body?: unknown; headers?: Record<string, string> } = {},
  ) =>
    fetch(`${service.url}/api/admin/${address}`, {
      method,
      headers: {
        ...(as !== null && { authorization: `Bearer ${keys.get(as) ?? as}` }),
        ...(body !== undefined && !(body instanceof Blob) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    });
  const audit = () =>
    readFileSync(join(dataDir, 'audit.log'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): { action: string; subject: string | null; by: object } => JSON.parse(line));
  const closing = opened.move();
  return { dataDir, backups, desk, service, call, audit, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

let bench: Awaited<ReturnType<typeof openBench>>;

beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const codeOf = async (response: Promise<Response>) => {
  const answer = await response;
  const { code } = JSON.parse(await answer.text());
  return `${answer.status} ${code}`;
};

const json = async (response: Promise<Response>) => {
  const answer = await response;
  return { status: answer.status, body: JSON.parse(await answer.text()) };
};

const pack = (path: string) => new Blob([readFileSync(path)]);
const BYTES = { 'content-type': 'application/octet-stream' };

const ROUTES = [
  ['GET', 'status'],
  ['GET', 'settings'],
  ['GET', 'nodes'],
  ['GET', 'backups'],
  ['POST', 'backups'],
  ['GET', 'backups/a.backup'],
  ['GET', 'packs'],
  ['POST', 'packs'],
  ['POST', 'packs/rollback'],
  ['GET', 'models'],
  ['POST', 'models/compare'],
  ['PUT', 'models/active'],
  ['POST', 'models/rollback'],
  ['GET', 'brands'],
  ['POST', 'brands'],
  ['DELETE', 'brands/Nordwerk'],
  ['GET', 'gate'],
] as const;

describe('access to the console', () => {
  test.each(ROUTES)('%s %s returns 401 without a valid key, before it reads anything else', async (method, path) => {
    expect(await codeOf(bench.call(method, path, { as: null }))).toBe('401 unauthorized');
    expect(await codeOf(bench.call(method, path, { as: 'lck_unknown' }))).toBe('401 unauthorized');
  });

  test.each(ROUTES)('%s %s returns 403 for a key with the scope check', async (method, path) => {
    expect(await codeOf(bench.call(method, path, { as: 'check' }))).toBe('403 forbidden_scope');
  });

  test('keys of other scopes can read only what their scope covers', async () => {
    for (const as of ['lists', 'feedback', 'history']) {
      expect([as, (await bench.call('GET', 'status', { as })).status]).toEqual([as, 200]);
      expect(await codeOf(bench.call('GET', 'settings', { as }))).toBe('403 forbidden_scope');
    }
    expect((await bench.call('GET', 'gate', { as: 'lists' })).status).toBe(200);
    expect(await codeOf(bench.call('GET', 'gate', { as: 'feedback' }))).toBe('403 forbidden_scope');
  });
});

describe('the console shows', () => {
  test('the status with the steps of a first installation', async () => {
    const { status, body } = await json(bench.call('GET', 'status'));
    expect(status).toBe(200);
    expect(body).toMatchObject({ checks: { today: 3 }, nodes: null, feedback_waiting: 0 });
    expect(Object.values<number>(body.checks.by_coverage).reduce((sum, one) => sum + one)).toBe(3);
    expect(body.storage.bytes).toBeGreaterThan(0);
    expect(body.storage.free_bytes).toBeGreaterThan(0);
    const done = body.checklist.filter((step: { done: boolean }) => step.done);
    expect(done.map(({ code }: { code: string }) => code)).toContain('retention');
    expect(body.checklist).toContainEqual({ code: 'tls', done: false });
    expect(body.checklist).toContainEqual({ code: 'history_access', done: false });
  });

  test('the settings with their sources', async () => {
    const { body } = await json(bench.call('GET', 'settings'));
    const named = (name: string) => body.items.find((one: { name: string }) => one.name === name);
    expect(named('retention_days')).toEqual({
      ...{ name: 'retention_days', value: 30, source: 'flag', reloadable: false, common: true },
      description: 'Days to keep checks in the logs; 0 keeps them whatever their age.',
    });
    expect(named('contact')).toMatchObject({ value: 'soc@x.example', source: 'environment' });
    expect(named('base_rate')).toMatchObject({ value: 0.05, source: 'default' });
  });

  test('no nodes without a database, and no hosts without a gate', async () => {
    expect((await json(bench.call('GET', 'nodes'))).body).toEqual({ items: [] });
    expect((await json(bench.call('GET', 'gate'))).body).toMatchObject({ mode: null, hosts: [] });
    expect(await codeOf(bench.call('GET', 'gate?since=yesterday'))).toBe('400 invalid_parameter');
  });
});

describe('models', () => {
  test('are compared, selected with If-Match, and rolled back', async () => {
    const { body: before } = await json(bench.call('GET', 'models'));
    const strict = before.items.find((one: { version: string }) => one.version.startsWith('strict-')).version;
    expect(before.items.find((one: { in_force: boolean }) => one.in_force).shipped).toBe(true);

    const compared = await json(bench.call('POST', 'models/compare', { body: { model: strict, limit: 2 } }));
    expect(compared).toMatchObject({ status: 200, body: { other: strict, compared: 2, unread: 0 } });
    const { body: previewed } = await json(
      bench.call('PUT', 'models/active?preview=true', { body: { model: strict } }),
    );
    expect(previewed.preview).toMatchObject({ checked: 3, invalid_lines: [] });
    expect(previewed.preview.changed).toBeGreaterThan(0);
    expect(previewed.preview.examples[0]).toMatchObject({ after: 'warn' });
    expect((await json(bench.call('GET', 'models'))).body).toEqual(before);

    const use = (etag?: string) =>
      bench.call('PUT', 'models/active', { body: { model: strict }, headers: etag ? { 'if-match': etag } : {} });
    expect(await codeOf(use())).toBe('428 precondition_required');
    expect(await codeOf(use('"stale"'))).toBe('412 precondition_failed');
    const { status, body: after } = await json(use(before.etag));
    expect(status).toBe(200);
    // The service has taken it up when it answers.
    expect((await bench.service.result(URL_CHECKED)).analysis_details.model_version).toBe(strict);
    expect(await codeOf(use(before.etag))).toBe('412 precondition_failed');

    const back = await json(bench.call('POST', 'models/rollback?preview=true'));
    expect(back.body.preview.checked).toBe(4);
    expect(await codeOf(bench.call('POST', 'models/rollback'))).toBe('428 precondition_required');
    const rolled = await json(bench.call('POST', 'models/rollback', { headers: { 'if-match': after.etag } }));
    expect(rolled.body.items).toEqual(before.items);
    expect(
      bench
        .audit()
        .filter(({ action }) => action.startsWith('model.'))
        .slice(-2),
    ).toMatchObject([
      { action: 'model.use', subject: strict, by: { key: 'admin', address: '127.0.0.1' } },
      { action: 'model.rollback', by: { key: 'admin', address: '127.0.0.1' } },
    ]);
  });

  test('are refused if they are not installed, and cannot be named by a path', async () => {
    const compare = (model: string) => codeOf(bench.call('POST', 'models/compare', { body: { model } }));
    expect(await compare('none-00000000')).toBe('404 not_found');
    expect(await compare('../strict')).toBe('404 not_found');
    expect(await codeOf(bench.call('POST', 'models/compare', { body: { model: 'shipped', limit: 0 } }))).toBe(
      '400 invalid_body',
    );
    expect(await codeOf(bench.call('POST', 'models/compare', { body: { modle: 'shipped' } }))).toBe('400 invalid_body');
  });
});

describe('packs', () => {
  test('are previewed, installed, and rolled back', async () => {
    const file = pack(await bench.desk.build({ version: 1 }, { ...THRESHOLDS, ...BRANDS }));
    const { body: before } = await json(bench.call('GET', 'packs'));
    expect(before).toMatchObject({ active: [], publishers: [{ name: 'acme', revoked: null }] });

    const previewed = await json(bench.call('POST', 'packs?preview=true', { body: file, headers: BYTES }));
    expect(previewed.status).toBe(200);
    expect(previewed.body.preview.changed).toBeGreaterThan(0);
    expect((await json(bench.call('GET', 'packs'))).body).toEqual(before);

    const installed = await json(bench.call('POST', 'packs', { body: file, headers: BYTES }));
    expect(installed).toEqual({ status: 201, body: { name: 'acme-bank', version: 1 } });
    expect((await bench.service.result(URL_CHECKED)).analysis_details.thresholds.warn).toBe(0.000001);

    const { body: after } = await json(bench.call('GET', 'packs'));
    expect(after.active).toMatchObject([{ name: 'acme-bank', version: 1, in_force: true, problem: null }]);
    const previewedBack = await json(bench.call('POST', 'packs/rollback?preview=true'));
    expect(previewedBack.body.preview.changed).toBeGreaterThan(0);
    expect(await codeOf(bench.call('POST', 'packs/rollback'))).toBe('428 precondition_required');
    expect(await codeOf(bench.call('POST', 'packs/rollback', { headers: { 'if-match': before.etag } }))).toBe(
      '412 precondition_failed',
    );
    const rolled = await json(bench.call('POST', 'packs/rollback', { headers: { 'if-match': after.etag } }));
    expect(rolled.body.active).toEqual([]);
    expect((await bench.service.result(URL_CHECKED)).analysis_details.thresholds.warn).not.toBe(0.000001);
    expect(
      bench
        .audit()
        .filter(({ action }) => action.startsWith('pack.'))
        .slice(-2),
    ).toMatchObject([
      { action: 'pack.install', subject: 'acme-bank', by: { key: 'admin', address: '127.0.0.1' } },
      { action: 'pack.rollback', by: { key: 'admin', address: '127.0.0.1' } },
    ]);
  });

  test('can be larger than other requests, for example with a model', async () => {
    const file = pack(await bench.desk.build({ name: 'acme-model', version: 1 }, STRICT));
    expect(file.size).toBeGreaterThan(3_000_000);
    const previewed = await json(bench.call('POST', 'packs?preview=true', { body: file, headers: BYTES }));
    expect(previewed.status).toBe(200);
    expect(previewed.body.preview.checked).toBeGreaterThan(2);
  });

  test('are refused if they are damaged, untrusted or of the wrong content type', async () => {
    const sent = (body: Blob, headers: Record<string, string> = BYTES) =>
      codeOf(bench.call('POST', 'packs', { body, headers }));
    const path = await bench.desk.build({ version: 9 }, THRESHOLDS);
    bench.desk.keyFile('other');
    const foreign = pack(await bench.desk.build({ version: 9, publisher: 'Other' }, THRESHOLDS, 'other'));
    expect(await sent(new Blob(['no pack']))).toBe('400 invalid_body');
    expect(await sent(pack(path).slice(0, -1))).toBe('400 invalid_body');
    expect(await sent(foreign)).toBe('409 conflict');
    expect(await sent(pack(path), { 'content-type': 'text/plain' })).toBe('415 unsupported_media_type');
    expect(await codeOf(bench.call('POST', 'packs', { body: {} }))).toBe('415 unsupported_media_type');
  });
});

describe('brands', () => {
  const NORDWERK = { name: 'Nordwerk', domains: ['nordwerk.example'] };

  test('are previewed on synthetic attacks, added, and removed', async () => {
    const previewed = await json(bench.call('POST', 'brands?preview=true', { body: NORDWERK }));
    expect(previewed.status).toBe(200);
    const { synthetic_attacks: shown } = previewed.body;
    expect(shown.tried).toBe(20);
    expect(shown.detected_after).toBeGreaterThan(shown.detected_before);
    expect(shown.own_alarmed).toBe(0);
    expect((await json(bench.call('GET', 'brands'))).body).toEqual({ items: [] });

    const added = await json(bench.call('POST', 'brands', { body: NORDWERK }));
    expect(added).toMatchObject({ status: 201, body: { ...NORDWERK, pages: 0 } });
    expect((await bench.service.result('http://login-nordwerk.com/')).decision).not.toBe('allow');
    expect(await codeOf(bench.call('POST', 'brands', { body: NORDWERK }))).toBe('409 conflict');
    expect((await json(bench.call('GET', 'status'))).body.checklist).toContainEqual({ code: 'own_brand', done: true });

    const removal = await json(bench.call('DELETE', 'brands/nordwerk?preview=true'));
    expect(removal.body.synthetic_attacks.detected_before).toBe(shown.detected_after);
    expect(await codeOf(bench.call('DELETE', 'brands/Nordwerk'))).toBe('428 precondition_required');
    const remove = () => bench.call('DELETE', 'brands/Nordwerk', { headers: { 'if-match': added.body.etag } });
    expect((await remove()).status).toBe(204);
    expect(await codeOf(remove())).toBe('404 not_found');
    expect(bench.audit().filter(({ action }) => action.startsWith('brand.'))).toMatchObject([
      { action: 'brand.add', subject: 'Nordwerk', by: { key: 'admin', address: '127.0.0.1' } },
      { action: 'brand.remove', subject: 'Nordwerk', by: { key: 'admin', address: '127.0.0.1' } },
    ]);
  });

  test('are added from the page of a portal', async () => {
    const html = `<title>Hafenbank Online Banking sign in</title><h1>Welcome to Hafenbank Online Banking</h1>
      <img src="/assets/hafenbank-logo.svg"><link rel="stylesheet" href="/assets/portal-hafen.css">
      <p>${'Manage your accounts, cards and transfers with Hafenbank wherever you are. '.repeat(10)}</p>
      <form action="/session"><input name="customer_number"><input type="password" name="online_pin"><button>Sign in</button></form>`;
    const added = await json(bench.call('POST', 'brands', { body: { html, domain: 'www.hafenbank.example' } }));
    expect(added).toMatchObject({ status: 201, body: { name: 'hafenbank', pages: 1 } });
    const { etag } = added.body;
    expect((await bench.call('DELETE', 'brands/hafenbank', { headers: { 'if-match': etag } })).status).toBe(204);
  });

  test('are refused for public suffixes, and for pages with too little text', async () => {
    const add = (body: object) => codeOf(bench.call('POST', 'brands', { body }));
    expect(await add({})).toBe('400 invalid_body');
    expect(await add({ domains: ['github.io'] })).toBe('400 invalid_body');
    expect(await add({ domains: ['co.uk'] })).toBe('400 invalid_body');
    expect(await add({ html: '<p>hi', domain: 'x.example' })).toBe('400 invalid_body');
    expect(await codeOf(bench.call('DELETE', 'brands/none', { headers: { 'if-match': '*' } }))).toBe('404 not_found');
  });
});

describe('backups', () => {
  test('are created, listed and downloaded completely', async () => {
    const made = await json(bench.call('POST', 'backups'));
    expect(made).toMatchObject({ status: 201, body: { complete: true } });
    const { name, bytes } = made.body;
    const { body } = await json(bench.call('GET', 'backups'));
    expect(body.items).toEqual([made.body]);
    expect(body.schedule).toMatchObject({ at: null, dir: bench.backups });

    const download = await bench.call('GET', `backups/${name}`);
    expect(download.headers.get('content-type')).toBe('application/x-tar');
    expect(download.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    expect(download.headers.get('cache-control')).toContain('no-store');
    const received = await download.bytes();
    expect(received.length).toBe(bytes);
    expect(Buffer.from(received).equals(readFileSync(join(bench.backups, name)))).toBe(true);
    expect((await json(bench.call('GET', 'status'))).body.last_backup).toMatchObject({ name });
    expect(bench.audit().filter(({ action }) => action.startsWith('backup.'))).toMatchObject([
      { action: 'backup.create', subject: name, by: { key: 'admin', address: '127.0.0.1' } },
      { action: 'backup.download', subject: name, by: { key: 'admin', address: '127.0.0.1' } },
    ]);
  });

  test('cannot be used to download other files of the host', async () => {
    mkdirSync(bench.backups, { recursive: true });
    writeFileSync(join(bench.backups, 'notes.txt'), 'no backup');
    symlinkSync(join(bench.dataDir, 'keys.json'), join(bench.backups, 'link.backup'));
    const names = ['none.backup', 'notes.txt', 'link.backup', '..%2Fdata%2Fkeys.json', '%2Fetc%2Fpasswd', '..', '%00'];
    for (const name of names) {
      const answer = await bench.call('GET', `backups/${name}`);
      expect([name, answer.status]).toEqual([name, 404]);
    }
  });

  test('are refused without a backup folder', async () => {
    await using directory = temporaryDirectory();
    const made = await lurecheck(['key', 'create', 'a', '--scope', 'admin', '--data-dir', directory.path]);
    await using service: Service = await startService(directory.path);
    const headers = { authorization: `Bearer ${made.stdout.trim()}` };
    const answer = await fetch(`${service.url}/api/admin/backups`, { method: 'POST', headers });
    const { code, detail } = JSON.parse(await answer.text());
    expect([answer.status, code]).toEqual([409, 'conflict']);
    expect(detail).toContain('backup_dir');
  });
});
