import { expect, test } from 'bun:test';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { keyFileIn, makeKey, writeKeys } from '#src/admin/keys/api-key.ts';
import { MispModulesSchema } from '#src/parts/feeds/misp/question.ts';
import { ReadinessSchema } from '#src/service/server/health-routes.ts';
import { lurecheck } from '#test/support/executable.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { reload } from '#test/support/reload.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';
const FOR_ALL = ['--feeds', '--feed-peers', '127.0.0.1/32'];

const pull = ({ url }: Service, name: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/feeds/${name}`, { headers });

const textOf = async (service: Service, name: string) => await (await pull(service, name)).text();

const serialOf = async (service: Service) => Number(/ SOA \S+ \S+ (\d+) /.exec(await textOf(service, 'rpz'))?.[1]);

async function noticesOf({ url }: Service): Promise<readonly string[]> {
  return parseAs(ReadinessSchema, await (await fetch(`${url}/readyz`)).json()).notices;
}

async function run(dataDir: string, ...words: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await lurecheck([...words, '--data-dir', dataDir]);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout.trim();
}

test('a key with the scope pulls a feed until it is revoked, and the feed contains later list changes', async () => {
  await using directory = temporaryDirectory();
  const { path } = directory;
  const wanted = { name: 'old', scopes: ['feed' as const], limit: null, expires_at: '2026-01-01T00:00:00.000Z' };
  const expired = makeKey(wanted, Date.UTC(2025, 0, 1));
  await Bun.write(keyFileIn(path), writeKeys([expired.key]));
  await run(path, 'lists', 'add', 'ours', 'evil.example', '--action', 'block');
  const key = await run(path, 'key', 'create', 'firewall', '--scope', 'feed');
  const other = await run(path, 'key', 'create', 'gateway', '--scope', 'batch');
  await using service = await startService(path, ['--feeds', '--admin-listen', '127.0.0.1:0']);
  const asked = (secret: string) => pull(service, 'domains', { authorization: `Basic ${btoa(`x:${secret}`)}` });
  const statuses = [key, other, expired.secret].map(async (secret) => (await asked(secret)).status);
  expect(await Promise.all(statuses)).toEqual([200, 403, 401]);
  expect((await pull(service, 'domains')).status).toBe(401);
  await run(path, 'lists', 'add', 'ours', 'late.example', '--action', 'block');
  await untilSeen('the change', async () => (await (await asked(key)).text()).includes('*.late.example\n'));
  const metrics = await (await fetch(`${service.events()[0]?.['admin_url']}/metrics`)).text();
  expect(metrics).toMatch(/^lurecheck_feed_pulls_total\{feed="domains",status="200"\} \d+$/m);
  expect(metrics).toMatch(/^lurecheck_feed_pulled_timestamp_seconds\{key="firewall"\} \d/m);
  await run(path, 'key', 'revoke', 'firewall');
  await untilSeen('the refusal', async () => (await asked(key)).status === 401);
});

test('a feed contains URLs that public checks blocked only if enabled, and never those of private checks', async () => {
  await using directory = temporaryDirectory();
  const config = join(directory.path, 'lurecheck.toml');
  const settings = `listen = "127.0.0.1:0"\nnetwork = "none"\nfeeds = true\nfeed_peers = ["127.0.0.1/32"]\n`;
  await Bun.write(config, settings);
  await using service = await startService(directory.path, ['--config', config]);
  expect((await service.result(PHISHING)).decision).toBe('block');
  const hidden = 'http://paypal-login.zq81hidden-secure.cyou/signin/index.php';
  expect((await service.result(hidden, true)).decision).toBe('block');
  expect(await textOf(service, 'domains')).toBe('');
  await Bun.write(config, `${settings}feed_checks = true\n`);
  await reload(service);
  await untilSeen('the host', async () => (await textOf(service, 'domains')).includes('verify-account-secure.cyou'));
  for (const name of ['domains', 'urls', 'rpz', 'plain', 'stix'])
    expect(await textOf(service, name)).not.toContain('zq81');
});

test('a feed is not found unless it is enabled, which is reloadable', async () => {
  await using directory = temporaryDirectory();
  const config = join(directory.path, 'lurecheck.toml');
  await Bun.write(config, '');
  await using service = await startService(directory.path, ['--config', config]);
  const statusOf = async () => (await pull(service, 'rpz')).status;
  const statuses = [await statusOf()];
  for (const text of ['feeds = true\nfeed_peers = ["127.0.0.0/8"]\n', 'feeds = true\n', '']) {
    await Bun.write(config, text);
    await reload(service);
    statuses.push(await statusOf());
  }
  expect(statuses).toEqual([404, 200, 401, 404]);
});

test('the serial survives a restart and a kill', async () => {
  await using directory = temporaryDirectory();
  const { path } = directory;
  await run(path, 'lists', 'add', 'ours', 'evil.example', '--action', 'block');
  const serials: number[] = [];
  for (const end of ['stop', 'kill', 'stop'] as const) {
    await using service = await startService(path, FOR_ALL);
    serials.push(await serialOf(service));
    await service[end]();
  }
  expect(new Set(serials).size).toBe(1);
});

test('feeds return 503, with a notice, if a list is unreadable at the start, until a reload succeeds', async () => {
  await using directory = temporaryDirectory();
  const list = join(directory.path, 'blocked.txt');
  await Bun.write(list, 'not a host\n');
  await using service = await startService(directory.path, [...FOR_ALL, '--block-list', list]);
  const response = await pull(service, 'domains');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
  expect(await noticesOf(service)).toContain('The feeds cannot be made: they answer 503.');
  expect(service.events().find(({ event }) => event === 'feeds.kept')).toMatchObject({ level: 'error' });
  await Bun.write(list, 'evil.example\n');
  await reload(service);
  expect(await textOf(service, 'domains')).toBe('evil.example\n*.evil.example\n');
  expect(await noticesOf(service)).toEqual([]);
});

test('feeds keep their last version, with a notice, if a list becomes unreadable', async () => {
  await using directory = temporaryDirectory();
  const list = join(directory.path, 'blocked.txt');
  await Bun.write(list, 'evil.example\n');
  await using service = await startService(directory.path, [...FOR_ALL, '--block-list', list]);
  const before = await textOf(service, 'domains');
  renameSync(list, `${list}.away`);
  await untilSeen('the notice', async () => (await noticesOf(service)).length > 0);
  expect(await noticesOf(service)).toEqual(['The feeds cannot be made: they keep their last version.']);
  await run(directory.path, 'lists', 'add', 'ours', 'late.example', '--action', 'block');
  expect(await textOf(service, 'domains')).toBe(before);
  renameSync(`${list}.away`, list);
  await untilSeen('the change', async () => (await textOf(service, 'domains')).includes('late.example'));
  expect(await noticesOf(service)).toEqual([]);
});

test('MISP routes are at the root of a separate address, outside the base path', async () => {
  await using directory = temporaryDirectory();
  const flags = ['--base-path', '/lure', '--misp-listen', '127.0.0.1:0'];
  await using service = await startService(directory.path, flags);
  const ready = service.events().find(({ event }) => event === 'server.listening');
  const [url] = [ready?.['misp_urls']].flat().map(String);
  expect(parseAs(MispModulesSchema, await (await fetch(`${url}/modules`)).json())[0]?.name).toBe('lurecheck');
  const body = JSON.stringify({ module: 'lurecheck', attribute: { type: 'url', value: PHISHING } });
  const headers = { 'content-type': 'application/json' };
  const answer = await (await fetch(`${url}/query`, { method: 'POST', headers, body })).json();
  expect(JSON.stringify(answer)).toContain('"object_relation":"decision","type":"text","value":"block"');
  // A private check, and nothing else is there.
  expect(await (await fetch(`${service.url}/lure/api/history`)).json()).toMatchObject({ items: [] });
  const statuses = ['/api/about', '/', '/livez'].map(async (path) => (await fetch(`${url}${path}`)).status);
  expect(await Promise.all(statuses)).toEqual([404, 404, 200]);
  expect((await fetch(`${service.url}/modules`)).status).toBe(404);
});
