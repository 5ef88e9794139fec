import { expect, test } from 'bun:test';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { writeConfigFile } from '#test/lab/config-file.ts';
import { lurecheck } from '#test/support/executable.ts';
import { startInternet } from '#test/support/internet.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { serveWeb } from '#test/support/web-server.ts';

test('with `visit: false` the URL is not probed, and the result and its record report the disabled probes', async () => {
  await using internet = await startInternet({ 'once.example': { answer: () => ({ body: '<title>Once</title>' }) } });
  await using directory = temporaryDirectory();
  const config = await writeConfigFile(internet, directory.path);
  await using service = await startService(directory.path, ['--network', 'full', '--config', config]);
  const url = internet.url('once.example', '/one-time');
  const check = async (visit: unknown) =>
    await fetch(`${service.url}/api/check-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url, visit }),
    });

  const alone = (await (await check(false)).json()) as CheckResult;
  expect(internet.visits).toEqual([]);
  const isOff = alone.analysis_details.unavailable.map(({ component, reason }) => `${component} ${reason}`);
  expect(isOff).toEqual(['page', 'dns', 'registration', 'certificate', 'lists'].map((name) => `${name} disabled`));

  const visited = (await (await check(true)).json()) as CheckResult;
  expect(visited.analysis_details.page?.title).toBe('Once');
  expect(internet.visits).toContain('https once.example /one-time');
  for (const wrong of ['false', 0, null]) expect((await check(wrong)).status).toBe(400);

  await service.stop();
  const { stdout } = await lurecheck([
    'log',
    '--data-dir',
    directory.path,
    '--format',
    'json',
    '--id',
    alone.request_id,
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ analysis_details: { unavailable: alone.analysis_details.unavailable } });
});

test('with `user_agent` a visit identifies itself, and no longer as a browser', async () => {
  await using site = await serveWeb((_, { 'user-agent': agent = '' }) => ({ body: `<title>${agent}</title>` }));
  const visit = async (...args: readonly string[]) => {
    const { stdout } = await lurecheck([
      ...['check', '--format', 'json', '--egress-allow', '127.0.0.0/8', '--egress-port', String(site.port), ...args],
      `http://127.0.0.1:${site.port}/`,
    ]);
    return (JSON.parse(stdout) as CheckResult).analysis_details.page?.title;
  };
  expect(await visit()).toMatch(/^Mozilla\/5\.0 .* Chrome\//);
  expect(await visit('--user-agent', 'mail-check/1.0 (+https://example.com)')).toBe(
    'mail-check/1.0 (+https://example.com)',
  );
});
