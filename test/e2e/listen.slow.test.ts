import { describe, expect, test } from 'bun:test';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const check = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"url":"http://example.com/"}',
};

describe('several addresses', () => {
  test('are all served, and all in the event that the service is ready', async () => {
    await using directory = temporaryDirectory();
    const socket = join(directory.path, 'http.sock');
    const listen = ['--listen', '127.0.0.1:0', '--listen', 'localhost:0', '--listen', `unix:${socket}`];
    await using service = await startService(directory.path, listen);
    const { url, urls } = JSON.parse(service.output.stdout.split('\n', 1)[0] ?? '');
    expect([url, urls]).toEqual([
      service.url,
      [service.url, expect.stringMatching(/^http:\/\/localhost:\d+$/), `unix:${socket}`],
    ]);
    expect((await fetch(`${urls[1]}/api/check-url`, check)).status).toBe(200);
    expect((await fetch('http://localhost/api/check-url', { ...check, unix: socket })).status).toBe(200);
    expect((await service.history()).items).toHaveLength(2);
  });

  test('share one rate limit', async () => {
    await using directory = temporaryDirectory();
    const listen = ['--listen', '127.0.0.1:0', '--listen', '127.0.0.1:0', '--rate-limit', '2'];
    await using service = await startService(directory.path, listen);
    const { urls } = JSON.parse(service.output.stdout.split('\n', 1)[0] ?? '');
    const statuses: number[] = [];
    for (const at of [0, 1, 0]) statuses.push((await fetch(`${urls[at]}/api/check-url`, check)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('are served together or not at all', async () => {
    await using directory = temporaryDirectory();
    const listen = ['--listen', '127.0.0.1:0', '--listen', `unix:${directory.path}`];
    const { exitCode, stdout, stderr } = await lurecheck(['serve', ...listen, '--data-dir', directory.path]);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `lurecheck: cannot listen on unix:${directory.path}: the file exists and is not a socket; choose another path\n`,
    );
  });
});

test.each([
  ['192.0.2.1:8080', 'this host does not have that address; :PORT listens on all addresses'],
  ['nosuch.invalid:8080', 'the name cannot be resolved; :PORT listens on all addresses'],
  ['unix:/nope/http.sock', 'its folder does not exist'],
  ['unix:/sys/http.sock', 'its folder does not support sockets'],
])('%s is refused as an address to listen on, because %s', async (address, because) => {
  await using directory = temporaryDirectory();
  const run = await lurecheck(['serve', '--listen', address, '--data-dir', directory.path]);
  expect(run).toEqual({ exitCode: 1, stdout: '', stderr: `lurecheck: cannot listen on ${address}: ${because}\n` });
});

test.each([':0', '*:0'])('%s listens on every address of the host', async (address) => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path, ['--listen', address]);
  const { port } = new URL(service.url);
  for (const host of ['127.0.0.1', '127.0.0.2', '[::1]']) {
    expect((await fetch(`http://${host}:${port}/readyz`)).status).toBe(200);
  }
});

describe('a unix socket', () => {
  const at = (path: string) => ['--listen', `unix:${join(path, 'http.sock')}`];

  test('is accessible to owner and group, is removed at the end, and works with healthcheck', async () => {
    await using directory = temporaryDirectory();
    const path = join(directory.path, 'http.sock');
    {
      await using _service = await startService(directory.path, at(directory.path));
      expect(((await stat(path)).mode & 0o777).toString(8)).toBe('660');
      expect(await lurecheck(['healthcheck', ...at(directory.path)])).toEqual({
        exitCode: 0,
        stdout: 'ready\n',
        stderr: '',
      });
    }
    expect(await stat(path).catch(() => null)).toBeNull();
    expect((await lurecheck(['healthcheck', ...at(directory.path)])).stderr).toContain(`unix:${path} does not answer`);
  });

  test('that a killed service left is replaced', async () => {
    await using directory = temporaryDirectory();
    const killed = await startService(directory.path, at(directory.path));
    await killed.kill();
    const path = join(directory.path, 'http.sock');
    expect((await stat(path)).isSocket()).toBe(true);
    await using _service = await startService(directory.path, at(directory.path));
    expect((await fetch('http://localhost/readyz', { unix: path })).status).toBe(200);
  });

  test('on which another program listens is not replaced', async () => {
    await using directory = temporaryDirectory();
    const path = join(directory.path, 'http.sock');
    await using other = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => other.listen(path, resolve));
    const { exitCode, stderr } = await lurecheck(['serve', ...at(directory.path), '--data-dir', directory.path]);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining(`unix:${path}: another program already listens there`),
    ]);
    expect((await stat(path)).isSocket()).toBe(true);
  });

  test('counts as one client, unless a proxy behind it is trusted', async () => {
    const statuses = async (flags: readonly string[]) => {
      await using directory = temporaryDirectory();
      await using _service = await startService(directory.path, [...at(directory.path), '--rate-limit', '1', ...flags]);
      const answers: number[] = [];
      for (const client of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) {
        const headers = { ...check.headers, 'x-forwarded-for': client, host: 'check.example' };
        const unix = join(directory.path, 'http.sock');
        answers.push((await fetch('http://localhost/api/check-url', { ...check, headers, unix })).status);
      }
      return answers;
    };
    // Without trust, the proxy's host name is foreign as well.
    expect(await statuses([])).toEqual([421, 429, 429]);
    expect(await statuses(['--host', 'check.example'])).toEqual([200, 429, 429]);
    expect(await statuses(['--trusted-proxy', 'unix'])).toEqual([200, 200, 429]);
  });
});
