import { expect, test } from 'bun:test';
import { rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Type } from '@sinclair/typebox';
import { ReadinessSchema } from '#src/service/server/health-routes.ts';
import { lurecheck } from '#test/support/executable.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';
import { holdCheckpoints } from '../checks/store/hold-checkpoints.ts';

const PHISHING = 'http://paypal-login.verify-account-secure.cyou/signin/index.php';

test('a check is answered, and is in the history and in the log that the command line reads', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path);
  const result = await service.result(PHISHING);
  expect(result.decision).toBe('block');
  expect((await service.history()).items).toEqual([
    {
      request_id: result.request_id,
      url: PHISHING,
      malicious_probability: result.malicious_probability,
      decision: 'block',
      coverage: 'url_only',
      caution: false,
      via: 'api',
      decided_by: null,
      reasons: expect.any(Array),
      model_version: result.analysis_details.model_version,
      timestamp: result.timestamp,
    },
  ]);
  const log = await lurecheck(['log', '--data-dir', directory.path, '--format', 'json', '--id', result.request_id]);
  expect(JSON.parse(log.stdout)).toEqual(result);
});

test('a URL has the same result in public, in private and on the command line', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path);
  const answers = [await (await service.check(PHISHING)).text(), await (await service.check(PHISHING, true)).text()];
  answers.push((await lurecheck(['check', '--network', 'none', '--format', 'ndjson', PHISHING])).stdout.trim());
  const timeless = answers.map((answer) =>
    answer
      .replace(/"(timestamp|request_id)":"[^"]*"/g, '')
      .replace(/"analysis_time":[^,]*|"timings":\{[^}]*\}|"via":"[^"]*"/g, ''),
  );
  expect(new Set(timeless).size).toBe(1);
});

test('SIGTERM ends the service with 0, after it has completed the requests in progress', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path);
  const underWay = Array.from({ length: 50 }, (_, i) => service.check(`http://example.com/${i}`));
  await Promise.race(underWay);
  const stopped = service.stop();
  const answered = (await Promise.allSettled(underWay)).filter(
    (answer) => answer.status === 'fulfilled' && answer.value.status === 200,
  ).length;
  expect(await stopped).toBe(0);
  const log = await lurecheck(['log', '--data-dir', directory.path, '--format', 'tsv']);
  expect(log.stdout.trim().split('\n').length).toBeGreaterThanOrEqual(answered);
});

test('with stop_delay_seconds, /readyz fails after SIGTERM while the service still accepts requests', async () => {
  await using directory = temporaryDirectory();
  const service = await startService(directory.path, ['--stop-delay-seconds', '5']);
  const stopped = service.stop();
  await until(async () => (await fetch(`${service.url}/readyz`)).status === 503);
  const { request_id } = await service.result('https://example.com/');
  expect((await service.history()).items.map((item) => item.request_id)).toEqual([request_id]);
  expect(await stopped).toBe(0);
});

test('a second service on the same data directory, or on the same port, ends with an error', async () => {
  await using directory = temporaryDirectory();
  await using other = temporaryDirectory();
  await using service = await startService(directory.path);
  const sameDirectory = await lurecheck(['serve', '--listen', '127.0.0.1:0', '--data-dir', directory.path]);
  expect(sameDirectory.exitCode).toBe(1);
  expect(sameDirectory.stderr).toContain(directory.path);
  const samePort = await lurecheck(['serve', '--listen', new URL(service.url).host, '--data-dir', other.path]);
  expect(samePort.exitCode).toBe(1);
  expect(samePort.stderr).toContain(new URL(service.url).port);
  expect(samePort.stderr).not.toContain('    at ');
});

test('healthcheck distinguishes a running service from a closed port', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path);
  const healthy = await lurecheck(['healthcheck', '--listen', new URL(service.url).host]);
  expect(healthy).toEqual({ exitCode: 0, stdout: 'ready\n', stderr: '' });
  const free = await freePort();
  expect((await lurecheck(['healthcheck', '--listen', `127.0.0.1:${free}`])).exitCode).toBe(1);
});

const PartsSchema = Type.Pick(ReadinessSchema, ['parts']);

/** How each part of a service says that it is. */
async function statesOf({ url }: Service): Promise<Record<string, string>> {
  const { parts = [] } = parseAs(PartsSchema, await (await fetch(`${url}/readyz?verbose`)).json());
  return Object.fromEntries(parts.map(({ name, state }) => [name, state]));
}

test('/readyz?verbose reports the state of each part, and nothing about clients or checks', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path);
  await service.result('https://canary.example/', true);
  expect(await statesOf(service)).toEqual({
    service: 'ok',
    public_log: 'ok',
    private_log: 'ok',
    disk: 'ok',
    feeds: 'off',
    model: 'ok',
    keys: 'ok',
    brands: 'ok',
    lists: 'off',
    list_sources: 'off',
    packs: 'off',
    network: 'off',
    notifications: 'off',
    limiter: 'off',
  });
  const text = await (await fetch(`${service.url}/readyz?verbose`)).text();
  expect(text).not.toMatch(/canary|127\.0\.0\.1/);
  expect(text).not.toContain(directory.path);
});

test('a service whose log file was moved refuses checks, with the reason, until the file is back', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path);
  const listen = ['--listen', new URL(service.url).host];
  const path = `${directory.path}/public.sqlite`;
  await service.result(PHISHING);
  await rename(path, `${path}.away`);
  const refused = await service.check(PHISHING);
  expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('its file was removed')]);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
  const { exitCode, stderr } = await lurecheck(['healthcheck', ...listen]);
  const why = 'The public log cannot be written: its file was removed.';
  expect([exitCode, stderr.split('\n')]).toEqual([
    1,
    [
      `lurecheck: the service at ${service.url}/readyz answers 503: ${why}`,
      `lurecheck: public_log is failed: ${why}`,
      '',
    ],
  ]);
  expect(await statesOf(service)).toMatchObject({ service: 'ok', public_log: 'failed', private_log: 'ok', disk: 'ok' });
  await rename(`${path}.away`, path);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  await service.result(PHISHING);
  expect((await service.history()).items).toHaveLength(2);
});

test('lost checks are reported at start, by /readyz and by log, until their notice is removed', async () => {
  await using directory = temporaryDirectory();
  {
    await using service = await startService(directory.path);
    using _ = holdCheckpoints(`${directory.path}/public.sqlite`);
    for (let i = 0; i < 5; i++) await service.result(PHISHING);
    await service.kill();
    await rm(`${directory.path}/public.sqlite-wal`);
  }
  const sentence = /About 5 checks from between \S+ and \S+ are missing\./;
  const readLog = async () => await lurecheck(['log', '--format', 'tsv', '--data-dir', directory.path]);
  expect(await readLog()).toEqual({ exitCode: 0, stdout: '', stderr: expect.stringMatching(sentence) });
  {
    await using service = await startService(directory.path);
    expect(service.output.stdout).toMatch(sentence);
    const ready = await fetch(`${service.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', notices: [expect.stringMatching(sentence)] },
    ]);
    const { stderr } = await readLog();
    expect(stderr).toMatch(sentence);
    await rm(/ Remove (\S+) once/.exec(stderr)?.[1] ?? '');
    expect(await (await fetch(`${service.url}/readyz`)).json()).toEqual({ status: 'ready', notices: [] });
  }
  expect(await readLog()).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
