import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const [ALLOWED, BLOCKED] = ['http://allow.lurecheck.test/', 'http://block.lurecheck.test/'];
const PASSED = `ok     allow  ${ALLOWED}\nok     block  ${BLOCKED}\n`;

test('a canary has a fixed verdict, and is neither logged nor counted', async () => {
  await using directory = temporaryDirectory();
  // Nothing is looked up about it even where everything might be.
  await using service = await startService(directory.path, ['--network', 'full', '--admin-listen', '127.0.0.1:0']);
  for (const isPrivate of [false, true]) {
    const [allowed, blocked] = [await service.result(ALLOWED, isPrivate), await service.result(BLOCKED, isPrivate)];
    expect([allowed.decision, blocked.decision]).toEqual(['allow', 'block']);
    expect(blocked.analysis_details.reasons.map(({ code }) => code)).toContain('lists.blocked');
    for (const { analysis_details: details } of [allowed, blocked]) {
      const sum = details.reasons.reduce((total, { weight }) => total + weight, details.base_log_odds);
      expect(sum).toBeCloseTo(Math.log(details.probability / (1 - details.probability)), 6);
      expect([details.dns_records.status, details.redirects]).toEqual(['not_applicable', []]);
    }
  }
  expect((await service.history()).items).toEqual([]);
  const stats = await (await fetch(`${service.url}/api/stats`)).text();
  expect(stats).not.toMatch(/lurecheck\.test|"(?:allow|block)":[1-9]/);
  const metrics = await (await fetch(`${service.events()[0]?.['admin_url']}/metrics`)).text();
  expect(metrics).not.toMatch(/^lurecheck_(?:checks|probes)_total\{.*\} [1-9]/m);
  expect(service.output.stdout).not.toContain('check.done');
  for (const visibility of [[], ['--private']]) {
    const logged = await lurecheck(['log', ...visibility, '--format', 'ndjson', '--data-dir', directory.path]);
    expect(logged.stdout).toBe('');
  }
  const files = readdirSync(directory.path).filter((name) => statSync(join(directory.path, name)).isFile());
  for (const name of files) {
    expect([name, readFileSync(join(directory.path, name), 'latin1').includes('lurecheck.test')]).toEqual([
      name,
      false,
    ]);
  }
  // What only looks like one is a check as any other.
  await service.result('https://x.block.lurecheck.test/');
  expect((await service.history()).items).toHaveLength(1);
});

test('selftest checks the canaries, locally and at a service', async () => {
  await using directory = temporaryDirectory();
  const at = ['--data-dir', directory.path];
  expect(await lurecheck(['selftest', ...at])).toEqual({ exitCode: 0, stdout: PASSED, stderr: '' });
  await using service = await startService(directory.path, ['--rate-limit', '2']);
  const remote = await lurecheck(['selftest', '--server', service.url, ...at]);
  expect(remote).toEqual({ exitCode: 0, stdout: PASSED, stderr: '' });
  expect((await service.history()).items).toEqual([]);
});

test('selftest reports a service with another verdict', async () => {
  const item = { malicious_probability: 0.5, decision: 'warn' };
  const details = { base_log_odds: 0, reasons: [], unavailable: [] };
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      Response.json({ items: [ALLOWED, BLOCKED].map((url) => ({ url, ...item, analysis_details: details })) }),
  });
  const { exitCode, stdout } = await lurecheck(['selftest', '--server', `http://127.0.0.1:${server.port}`]);
  expect([exitCode, stdout]).toEqual([
    1,
    `wrong  allow  ${ALLOWED}: the verdict is warn\nwrong  block  ${BLOCKED}: the verdict is warn\n`,
  ]);
});

test('selftest stops if a setting is invalid', async () => {
  await using directory = temporaryDirectory();
  const list = join(directory.path, 'list.txt');
  writeFileSync(list, 'not a host\n');
  const { exitCode, stdout, stderr } = await lurecheck([
    'selftest',
    '--block-list',
    list,
    '--data-dir',
    directory.path,
  ]);
  expect([exitCode, stdout, stderr.includes('list.txt')]).toEqual([2, '', true]);
});
