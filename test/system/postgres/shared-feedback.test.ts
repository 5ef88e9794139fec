import { afterAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openModels } from '#src/app/scoring/classifier.ts';
import { type NewFeedback, openFeedback } from '#src/checks/store/feedback/feedback-queue.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { forgetFeedback, moveFeedback, openSharedFeedback } from '#src/parts/fleet/shared/shared-feedback.ts';
import { lurecheck } from '#test/support/executable.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { type Service, startService } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { openFleet } from './shared-fleet.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

async function give({ url }: Service, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${url}/api/feedback`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

function given(host: string, more: Partial<NewFeedback> = {}): NewFeedback {
  const clientHash = Buffer.alloc(32, 1);
  return { receivedAtMs: 1, verdict: 'malicious', url: `https://${host}/`, host, comment: '', clientHash, ...more };
}

test('feedback given to any node is listed, accepted, rejected and deleted from any host', async () => {
  await using fleet = await openFleet(server);
  const { flagsOf, folder } = fleet;
  const [one, two, desk] = [folder(), folder(), folder()];
  const node = [...flagsOf('node'), '--feedback-limit', '0'];
  await using first = await startService(one, [...node, '--node-name', 'one']);
  await using second = await startService(two, [...node, '--node-name', 'two']);
  const feedback = (dataDir: string, role: 'node' | 'operator', ...args: string[]) =>
    lurecheck(['feedback', ...args, '--data-dir', dataDir, ...flagsOf(role)]);
  const listed = async (dataDir: string, role: 'node' | 'operator'): Promise<{ id: number; url: string }[]> =>
    JSON.parse((await feedback(dataDir, role, 'list', '--format', 'json')).stdout);
  const missed = await first.result('https://missed.example/in');
  expect(await give(first, { request_id: missed.request_id, verdict: 'malicious' })).toBe(202);
  expect(await give(second, { url: 'https://wrong.example/', verdict: 'benign', comment: 'ours' })).toBe(202);
  expect(await give(second, { url: 'https://gone.example/', verdict: 'benign' })).toBe(202);
  await until(async () => (await listed(desk, 'operator')).length === 3);
  const idOf = async (host: string) =>
    String((await listed(two, 'node')).find(({ url }) => url.startsWith(`https://${host}/`))?.id);
  const accepted = await feedback(
    desk,
    'operator',
    'accept',
    await idOf('missed.example'),
    '--entry',
    'missed.example',
  );
  expect([accepted.exitCode, accepted.stdout]).toEqual([
    0,
    expect.stringContaining('missed.example added to the list feedback'),
  ]);
  expect((await feedback(one, 'node', 'reject', await idOf('wrong.example'))).exitCode).toBe(0);
  for (const service of [first, second])
    await until(async () => (await service.result('https://missed.example/in')).decision === 'block');
  expect((await listed(one, 'node')).map(({ url }) => url)).toEqual(['https://gone.example/']);
  const examined = await lurecheck(['doctor', '--data-dir', two, ...flagsOf('node'), '--network', 'none']);
  expect(examined.stdout).toContain('Waiting feedback: 1.');
  const owner = ['public', 'private'].flatMap((visibility) => [
    visibility === 'public' ? '--log-database' : '--log-database-private',
    server.url('lurecheck_owner', fleet.databases[visibility === 'public' ? 'public' : 'private']),
  ]);
  const deleted = await lurecheck([
    ...['history', 'delete', '--domain', 'gone.example', '--yes'],
    ...['--data-dir', desk, ...owner],
  ]);
  expect(deleted.stderr).toContain('also deleted 1 feedback on them');
  expect(await listed(desk, 'operator')).toEqual([]);
});

test('feedback waits on its node while the database is unreachable', async () => {
  await using own = await startPostgres();
  await using fleet = await openFleet(own);
  const dataDir = fleet.folder();
  await using service = await startService(dataDir, fleet.flagsOf('node'));
  await own.stop('SIGKILL');
  expect(await give(service, { url: 'https://late.example/', verdict: 'malicious' })).toBe(202);
  await until(() => existsSync(join(dataDir, 'feedback.sqlite')));
  const list = () => lurecheck(['feedback', 'list', '--data-dir', dataDir, ...fleet.flagsOf('node')]);
  expect((await list()).stderr).toContain('The database with the feedback of all nodes cannot be used: ');
  await own.start();
  await until(async () => (await list()).stdout.includes('https://late.example/'));
});

test('feedback that is sent twice is stored once, stays within the bounds, and is removed with its days', async () => {
  await using fleet = await openFleet(server);
  const { url } = fleet.databases;
  const urls = { public: [url('public', 'node')], private: [url('private', 'node')] };
  const dataDir = fleet.folder();
  const place = { urls, dataDir };
  using queue = openFeedback({ dataDir, now: () => 5 });
  const shared = openSharedFeedback(place, () => 9);
  const hosts = async () => (await shared.newest(null, 9)).map(({ host }) => host);
  const bounds = { rows: 3, bytes: 1000, ofClient: 2 };
  queue.take(given('a.example'));
  await moveFeedback(queue, place, bounds);
  queue.take(given('a.example'));
  queue.take(given('b.example'));
  queue.take(given('c.example'));
  await moveFeedback(queue, place, bounds);
  expect(await hosts()).toEqual(['b.example', 'a.example']);
  // A client may have two that wait: the third stays on the node.
  expect(queue.newest(null, 9).map(({ host }) => host)).toEqual(['c.example']);
  const [, first] = await shared.newest('waiting', 9);
  expect(await shared.settle(first?.id ?? 0, 'accepted', 'a.example')).toBe(true);
  expect(await shared.settle(first?.id ?? 0, 'rejected', null)).toBe(false);
  expect(await shared.find(first?.id ?? 0)).toMatchObject({ state: 'accepted', entry: 'a.example', settledAtMs: 9 });
  await moveFeedback(queue, place, bounds);
  queue.take(given('d.example', { clientHash: Buffer.alloc(32, 2), receivedAtMs: 200 * DAY_MS }));
  await moveFeedback(queue, place, bounds);
  // What was settled made room.
  expect(await hosts()).toEqual(['d.example', 'c.example', 'b.example']);
  expect(await shared.counts()).toEqual({ waiting: 3, accepted: 0, rejected: 0 });
  await forgetFeedback(place, 200 * DAY_MS);
  expect(await hosts()).toEqual(['d.example']);
  for (const wanted of ['ample', 'a.d.example', 'b.example'])
    expect(await shared.remove({ by: 'domain', wanted })).toBe(0);
  expect(await shared.remove({ by: 'domain', wanted: 'example' })).toBe(1);
});

test('accepted feedback on checks calibrates every node', async () => {
  await using fleet = await openFleet(server);
  const { url } = fleet.databases;
  const urls = { public: [url('public', 'node')], private: [url('private', 'node')] };
  const [one, two] = [fleet.folder(), fleet.folder()];
  const { version: modelVersion } = await openModels(one);
  using queue = openFeedback({ dataDir: one, now: () => 5 });
  for (let i = 0; i < 30; i++) {
    const clientHash = Buffer.alloc(32, i);
    const about = { receivedAtMs: Date.now(), requestId: `${i}`, probability: 0.02, modelVersion, clientHash };
    queue.take(given(`a${i}.example`, about));
    queue.settle(i + 1, 'accepted', null);
  }
  await moveFeedback(queue, { urls, dataDir: one });
  await using service = await startService(two, [...fleet.flagsOf('node'), '--feedback-calibration']);
  await until(() => existsSync(join(two, 'accepted-feedback.json')));
  expect(service.url).toStartWith('http');
  const { stdout } = await lurecheck(['doctor', '--data-dir', two, ...fleet.flagsOf('node'), '--network', 'none']);
  expect(stdout).toContain('30 malicious, 0 benign; it shifts the log-odds of every check by +');
});
