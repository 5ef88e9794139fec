import { describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { executable } from '#test/support/executable.ts';
import { freePort } from '#test/support/free-port.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { bootAndLook } from './booted-system.ts';

/** A service that systemd's tool starts at the first connection, and hands the socket over to. */
async function startActivated(dataDir: string, address: string, ...args: readonly string[]) {
  const serve = [await executable(), 'serve', '--network', 'none', '--data-dir', dataDir, ...args];
  const child = Bun.spawn(['systemd-socket-activate', '-l', address, ...serve], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: {},
  });
  const told = child.stderr.getReader();
  // It listens once it says so.
  for (let said = ''; !said.includes('Listening on'); ) said += Buffer.from((await told.read()).value ?? []).toString();
  return {
    /** What it said in the end, and how it ended. */
    async stop() {
      child.kill('SIGTERM');
      return { told: await child.stdout.text(), exitCode: await child.exited };
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}

/** One request from an address of this machine, or at a socket in a file. */
async function ask(options: object, body?: string) {
  const headers = { 'content-type': 'application/json', host: 'localhost' };
  const asked = request({ headers, method: body === undefined ? 'GET' : 'POST', agent: false, ...options });
  asked.end(body);
  const [response]: IncomingMessage[] = await once(asked, 'response');
  return { status: response?.statusCode, body: response ? await text(response) : '' };
}

const CHECK = JSON.stringify({ url: 'http://a.example/' });

describe('a socket that is handed over', () => {
  test('is served on, and each client is known by its own address', async () => {
    await using directory = temporaryDirectory();
    const port = await freePort();
    await using service = await startActivated(
      directory.path,
      `127.0.0.1:${port}`,
      ...['--rate-limit', '2'],
      ...['--listen', `127.0.0.1:${port}`],
    );
    const check = (localAddress: string) =>
      ask({ host: '127.0.0.1', port, localAddress, path: '/api/check-url' }, CHECK);
    const statuses: unknown[] = [];
    for (const client of [1, 1, 1, 2, 2, 2]) statuses.push((await check(`127.0.0.${client}`)).status);
    expect(statuses).toEqual([200, 200, 429, 200, 200, 429]);
    const many = Array.from({ length: 50 }, () => ask({ host: '127.0.0.1', port, path: '/openapi.json' }));
    const [first, ...others] = (await Promise.all(many)).map(({ body }) => body);
    expect(JSON.parse(first ?? '')).toHaveProperty('openapi');
    expect(new Set(others)).toEqual(new Set([first ?? '']));
    const { told, exitCode } = await service.stop();
    // It is the one address: that of the setting is the same.
    expect([JSON.parse(told.split('\n')[0] ?? ''), exitCode]).toEqual([
      expect.objectContaining({ event: 'server.listening', url: `http://127.0.0.1:${port}` }),
      0,
    ]);
  });

  test('may be one in a file, which has no other door', async () => {
    await using directory = temporaryDirectory();
    const socketPath = join(directory.path, 'http.sock');
    await using service = await startActivated(join(directory.path, 'data'), socketPath, '--listen', '127.0.0.1:0');
    expect((await ask({ socketPath, path: '/api/check-url' }, CHECK)).status).toBe(200);
    const { told, exitCode } = await service.stop();
    const { urls } = JSON.parse(told.split('\n')[0] ?? '');
    expect([urls, exitCode]).toEqual([[`unix:${socketPath}`, expect.stringMatching(/^http:\/\/127/)], 0]);
  });

  test('of another process is none of ours', async () => {
    await using directory = temporaryDirectory();
    const port = await freePort();
    const command = ['serve', '--network', 'none', '--listen', `127.0.0.1:${port}`, '--data-dir', directory.path];
    const child = Bun.spawn([await executable(), ...command], {
      stdout: 'pipe',
      stderr: 'inherit',
      env: { LISTEN_FDS: '1', LISTEN_PID: '1' },
    });
    const { value } = await child.stdout.getReader().read();
    child.kill('SIGTERM');
    expect([
      Buffer.from(value ?? [])
        .toString()
        .includes('server.listening'),
      await child.exited,
    ]).toEqual([true, 0]);
  });
});

/** People ask all the while. */
const RESTARTED = `
  exec 2>&1
  cat > /etc/systemd/system/lurecheck.socket <<END
[Socket]
ListenStream=80
END
  /opt/lurecheck service install --no-start >/dev/null
  systemctl daemon-reload && systemctl start lurecheck.socket
  (while [ ! -e /tmp/over ]; do curl -s -o /dev/null -w '%{http_code}\\n' --retry 0 http://127.0.0.1/livez; done) > /tmp/answers &
  for _ in 1 2 3; do systemctl restart lurecheck; done
  until [ $(wc -l < /tmp/answers) -gt 20 ]; do sleep 0.1; done
  touch /tmp/over && wait
  sort -u /tmp/answers
  grep CapEff /proc/$(systemctl show -P MainPID lurecheck)/status
`;

test('with a socket of systemd, a restart refuses nobody, and a port below 1024 takes no capability', async () => {
  await using directory = temporaryDirectory();
  expect(await bootAndLook(directory.path, {}, RESTARTED)).toEqual(['200', 'CapEff:\t0000000000000000', '']);
}, 120_000);
