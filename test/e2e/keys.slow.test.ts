import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCOPES } from '#src/admin/keys/api-key.ts';
import { HistoryPageSchema } from '#src/checks/record/history-page.ts';
import { type BatchAnswer, BatchAnswerSchema } from '#src/service/server/check/batch-answer.ts';
import { lurecheck } from '#test/support/executable.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

const CHECK = JSON.stringify({ url: 'https://example.com/' });

async function createKey(dataDir: string, name: string, ...flags: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await lurecheck(['key', 'create', name, ...flags, '--data-dir', dataDir]);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout.trimEnd();
}

function bearing(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

async function check({ url }: Service, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(`${url}/api/check-url`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: CHECK,
  });
}

async function statusesOf(times: number, ask: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++) statuses.push((await ask()).status);
  return statuses;
}

/** Waits for an answer of a status, as long as the service may take to see that the keys have changed. */
async function untilStatus(status: number, ask: () => Promise<Response>): Promise<void> {
  await untilSeen(`an answer of ${status}`, async () => (await ask()).status === status);
}

describe('a key', () => {
  test('has a limit that is independent of the limit of its address', async () => {
    await using directory = temporaryDirectory();
    const key = await createKey(directory.path, 'gateway', '--limit', '4');
    await using service = await startService(directory.path, ['--rate-limit', '2']);
    expect(await statusesOf(3, () => check(service))).toEqual([200, 200, 429]);
    expect(await statusesOf(5, () => check(service, bearing(key)))).toEqual([200, 200, 200, 200, 429]);
    const { headers } = await check(service, bearing(key));
    expect(headers.get('ratelimit-policy')).toBe('"default";q=4;w=60');
  });

  test('with the scope batch has its own limit for batches, and each check is logged once', async () => {
    await using directory = temporaryDirectory();
    const key = await createKey(directory.path, 'feed', '--scope', 'batch', '--limit', '90');
    await using service = await startService(directory.path, ['--rate-limit', '5']);
    const urls = Array.from({ length: 100 }, (_, n) => `https://host${n % 95}.example/`);
    const post = async (headers: Record<string, string>) => {
      const response = await fetch(`${service.url}/api/check-urls`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ urls }),
      });
      return parseAs(BatchAnswerSchema, await response.json()).items;
    };
    const admitted = (items: BatchAnswer['items']) => items.flatMap((item) => ('problem' in item ? [] : item));
    const byKey = admitted(await post(bearing(key)));
    // 95 of the hundred are different, and the five that come again are among those for which there is a place.
    expect([byKey.length, admitted(await post({})).length]).toEqual([95, 10]);
    const logged = await lurecheck(['log', '--format', 'ndjson', '--data-dir', directory.path]);
    expect(logged.stdout.trimEnd().split('\n')).toHaveLength(95);
    expect(new Set(byKey.map(({ request_id }) => request_id)).size).toBe(90);
  });

  test('that is unknown is refused, and the request counts for its address', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path, ['--rate-limit', '3']);
    const wrong = () => check(service, bearing('lck_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'));
    const first = await wrong();
    expect([first.status, first.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="lurecheck"']);
    const guess = () => fetch(`${service.url}/api/history`, { headers: bearing('lck_guess') });
    expect(await statusesOf(3, guess)).toEqual([401, 401, 429]);
    expect((await check(service)).status).toBe(429);
    expect((await service.history()).items).toEqual([]);
  });

  test('is accepted and revoked by a running service without a restart', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path);
    const key = await createKey(directory.path, 'late');
    await untilStatus(200, () => check(service, bearing(key)));
    await lurecheck(['key', 'revoke', 'late', '--data-dir', directory.path]);
    await untilStatus(401, () => check(service, bearing(key)));
  });

  test('is in no file, output or log', async () => {
    await using directory = temporaryDirectory();
    const key = await createKey(directory.path, 'quiet');
    await using service = await startService(directory.path, ['--log-level', 'debug']);
    await check(service, bearing(key));
    const list = await lurecheck(['key', 'list', '--data-dir', directory.path]);
    const files = readdirSync(directory.path).filter((name) => statSync(join(directory.path, name)).isFile());
    const texts = files.map((name) => readFileSync(join(directory.path, name), 'latin1'));
    for (const text of [...texts, service.output.stdout, service.output.stderr, list.stdout]) {
      expect(text).not.toContain(key.slice('lck_'.length));
    }
    expect(list.stdout).toBe('quiet\tcheck\tdefault limit\tno expiry\n');
    expect(statSync(join(directory.path, 'keys.json')).mode & 0o777).toBe(0o600);
  });

  test('reads the private log with the scope history.private or admin alone, and is named for that', async () => {
    await using directory = temporaryDirectory();
    const others = SCOPES.filter((scope) => scope !== 'history.private' && scope !== 'admin');
    const reader = await createKey(directory.path, 'soc', '--scope', 'history.private');
    const other = await createKey(directory.path, 'other', '--scope', others.join(','));
    await using service = await startService(directory.path);
    await service.result('https://hidden.example/a', true);
    await service.result('https://hidden.example/b', true);
    await service.result('https://shown.example/');
    const read = (path: string, headers = {}) => fetch(`${service.url}${path}`, { headers });
    const statuses = async (path: string) =>
      await Promise.all([read(path), read(path, bearing(other))].map(async (response) => (await response).status));
    expect(await statuses('/api/history/private')).toEqual([401, 403]);
    expect(await statuses('/api/history/private?limit=0')).toEqual([401, 403]);
    expect((await read('/api/history/private?after=', bearing(reader))).status).toBe(400);
    const page = async (query: string) => {
      const response = await read(`/api/history/private?limit=1${query}`, bearing(reader));
      return parseAs(HistoryPageSchema, await response.json());
    };
    const first = await page('');
    const second = await page(`&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items].map(({ url }) => url)).toEqual([
      'https://hidden.example/b',
      'https://hidden.example/a',
    ]);
    expect(second.next_cursor).toBeNull();
    expect((await page('&domain=shown.example')).items).toEqual([]);
    // It opens nothing else.
    expect((await read('/api/history', bearing(reader))).status).toBe(403);
    expect((await check(service, bearing(reader))).status).toBe(403);
    expect((await service.history()).items.map(({ url }) => url)).toEqual(['https://shown.example/']);
    const audit = await lurecheck(['audit', 'show', '--format', 'ndjson', '--data-dir', directory.path]);
    const reads = audit.stdout.split('\n').filter((line) => line.includes('history.read'));
    expect(reads.map((line) => JSON.parse(line))).toMatchObject([{ by: { key: 'soc' }, subject: 'private' }]);
    expect(audit.stdout).not.toContain('hidden.example');
  });

  test('with the scope history reads a history that is not public, and nothing else', async () => {
    await using directory = temporaryDirectory();
    const reader = await createKey(directory.path, 'siem', '--scope', 'history,metrics');
    await using service = await startService(directory.path, ['--public-history', 'false']);
    const read = (path: string, headers = {}) => fetch(`${service.url}${path}`, { headers });
    expect((await read('/api/history')).status).toBe(404);
    expect((await read('/api/history', bearing(reader))).status).toBe(200);
    expect((await read('/api/stats', bearing(reader))).status).toBe(403);
    expect((await check(service, bearing(reader))).status).toBe(403);
  });

  test('with the scope metrics reads the metrics at the public address', async () => {
    await using directory = temporaryDirectory();
    const key = await createKey(directory.path, 'prometheus', '--scope', 'metrics');
    await using service = await startService(directory.path);
    const scrape = (headers = {}) => fetch(`${service.url}/metrics`, { headers });
    expect((await scrape()).status).toBe(401);
    expect((await scrape(bearing(key))).status).toBe(200);
    await check(service);
    const text = await (await scrape(bearing(key))).text();
    expect(text).toContain('lurecheck_key_uses_total{key="prometheus"} 1\n');
    expect(text).toContain(
      'lurecheck_checks_total{visibility="public",decision="allow",check_coverage="url_only"} 1\n',
    );
  });

  test('is not required for a check, and Basic credentials are not treated as a key', async () => {
    await using directory = temporaryDirectory();
    await createKey(directory.path, 'some');
    await using service = await startService(directory.path);
    expect((await check(service)).status).toBe(200);
    expect((await check(service, { authorization: 'Basic dXNlcjpwYXNz' })).status).toBe(200);
  });
});

test('an expired key is refused, and other keys are accepted', async () => {
  await using directory = temporaryDirectory();
  const file = join(directory.path, 'keys.json');
  const [over, other] = [await createKey(directory.path, 'over'), await createKey(directory.path, 'other')];
  const keys = JSON.parse(readFileSync(file, 'utf8'));
  keys.keys.find(({ name }: { name: string }) => name === 'over').expires_at = new Date(Date.now() - 1).toISOString();
  writeFileSync(file, JSON.stringify(keys));
  await using service = await startService(directory.path);
  expect([(await check(service, bearing(over))).status, (await check(service, bearing(other))).status]).toEqual([
    401, 200,
  ]);
  const { stdout } = await lurecheck(['key', 'list', '--data-dir', directory.path]);
  expect(stdout).toMatch(/^over\b.*expired/m);
});

test('a key file with an invalid key name is not used, so that no key is accepted', async () => {
  for (const name of ['a"b', 'a b', 'a\nlurecheck_checks_total 1', '', '-a', 'a'.repeat(65), 'é', '__proto__ ']) {
    await using directory = temporaryDirectory();
    const key = await createKey(directory.path, 'there');
    const file = join(directory.path, 'keys.json');
    const keys = JSON.parse(readFileSync(file, 'utf8'));
    keys.keys[0].name = name;
    writeFileSync(file, JSON.stringify(keys));
    await using service = await startService(directory.path);
    expect([name, (await check(service, bearing(key))).status]).toEqual([name, 401]);
    expect(service.events().filter(({ event }) => event === 'file.unusable')).toMatchObject([{ file: 'keys' }]);
  }
});

describe('lurecheck key', () => {
  test.each([
    [['create'], 'expected key create NAME, key revoke NAME or key list'],
    [['create', 'two words'], '"two words" is not a key name'],
    [['create', '../up'], '"../up" is not a key name'],
    [['create', 'a', '--limit', '-1'], '--limit is "-1"'],
    [['create', 'a', '--scope', 'check,all'], '"all" is not a scope'],
    [['create', 'a', '--expires', '2027-02-30'], '--expires is "2027-02-30"'],
    [['create', 'a', '--expires', '2020-01-01'], '--expires is 2020-01-01, which is in the past'],
    [['revoke', 'nobody'], 'key not found: "nobody"'],
    [['change', 'a'], 'key takes create, revoke or list, not "change"'],
  ])('%p is refused, and changes nothing', async (args, message) => {
    await using directory = temporaryDirectory();
    await createKey(directory.path, 'there');
    const before = readFileSync(join(directory.path, 'keys.json'), 'utf8');
    const { exitCode, stdout, stderr } = await lurecheck(['key', ...args, '--data-dir', directory.path]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(readFileSync(join(directory.path, 'keys.json'), 'utf8')).toBe(before);
  });

  test('rejects a name that already exists', async () => {
    await using directory = temporaryDirectory();
    await createKey(directory.path, 'twin');
    const { exitCode, stdout, stderr } = await lurecheck(['key', 'create', 'twin', '--data-dir', directory.path]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('key already exists: twin; revoke it first');
  });

  test('loses no key if several are created at the same time', async () => {
    await using directory = temporaryDirectory();
    const made = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => createKey(directory.path, `k${n}`)));
    const names = made.flatMap(({ status }, n) => (status === 'fulfilled' ? [`k${n}`] : []));
    const { stdout } = await lurecheck(['key', 'list', '--format', 'json', '--data-dir', directory.path]);
    const listed = JSON.parse(stdout).map(({ name }: { name: string }) => name);
    expect(listed.toSorted()).toEqual(names);
    expect(names.length).toBeGreaterThan(0);
  });
});

test('with a damaged key file, a running service keeps its keys, and a starting service accepts none', async () => {
  await using directory = temporaryDirectory();
  const key = await createKey(directory.path, 'kept');
  const file = join(directory.path, 'keys.json');
  const whole = readFileSync(file, 'utf8');
  await using service = await startService(directory.path);
  writeFileSync(file, '{"version": 1, "keys": [{}]}');
  await untilSeen('keys.kept', () => service.events().some(({ event }) => event === 'keys.kept'));
  expect((await check(service, bearing(key))).status).toBe(200);
  const ready = async () => JSON.parse(await (await fetch(`${service.url}/readyz?verbose`)).text());
  const notice = 'The file of keys cannot be read as it is now: the keys before its change stay active.';
  expect(await ready()).toMatchObject({
    status: 'ready',
    notices: [notice],
    parts: expect.arrayContaining([{ name: 'keys', state: 'degraded', detail: notice }]),
  });
  writeFileSync(file, whole);
  await untilSeen('the keys as they are', async () => (await ready()).notices.length === 0);
  writeFileSync(file, '{');
  await untilSeen('the notice again', async () => (await ready()).notices.length === 1);
  await service.stop();
  await using next = await startService(directory.path);
  expect((await check(next, bearing(key))).status).toBe(401);
  expect((await check(next)).status).toBe(200);
  expect(await (await fetch(`${next.url}/readyz`)).json()).toMatchObject({
    status: 'ready',
    notices: ['The keys cannot be read: no key is accepted.'],
  });
  const [told] = next.events().filter(({ event }) => event === 'file.unusable');
  expect(told).toMatchObject({ file: 'keys', problem: expect.stringMatching(/keys\.json .*restore it from a backup/) });
  const { exitCode, stdout } = await lurecheck(['doctor', '--data-dir', directory.path, '--network', 'none']);
  expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/^fault .*keys: .*keys\.json .*restore it/m)]);
});

test('a key that the console revokes or narrows, and its sessions, stop with the answer', async () => {
  await using directory = temporaryDirectory();
  const admin = await createKey(directory.path, 'admin', '--scope', 'admin');
  await using service = await startService(directory.path);
  const ask = async (method: string, path: string, headers: Record<string, string>, body?: object) =>
    await fetch(`${service.url}/api/${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  for (let time = 0; time < 5; time++) {
    const name = `victim-${time}`;
    const made = await ask('POST', 'admin/keys', bearing(admin), { name, scopes: ['admin'] });
    const { secret, etag } = (await made.json()) as { secret: string; etag: string };
    const session = await ask('POST', 'session', bearing(secret));
    const cookie = (session.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const statuses = async () => [
      (await ask('GET', 'admin/keys', bearing(secret))).status,
      (await ask('GET', 'admin/keys', { cookie })).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    const narrow = time % 2 === 0;
    const change = { ...bearing(admin), 'if-match': etag };
    const changed = narrow
      ? await ask('PATCH', `admin/keys/${name}`, change, { scopes: ['check'] })
      : await ask('DELETE', `admin/keys/${name}`, change);
    expect(changed.ok).toBe(true);
    expect(await statuses()).toEqual(narrow ? [403, 401] : [401, 401]);
  }
});
