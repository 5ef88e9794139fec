import { describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { executable } from '#test/support/executable.ts';
import { freePort } from '#test/support/free-port.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
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
    pid: child.pid,
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

describe('an inherited socket', () => {
  test('is served, and each client is identified by its own address', async () => {
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

  test('may be a Unix socket, beside a port', async () => {
    await using directory = temporaryDirectory();
    const socketPath = join(directory.path, 'http.sock');
    await using service = await startActivated(join(directory.path, 'data'), socketPath, '--listen', '127.0.0.1:0');
    expect((await ask({ socketPath, path: '/api/check-url' }, CHECK)).status).toBe(200);
    const { told, exitCode } = await service.stop();
    const { urls } = JSON.parse(told.split('\n')[0] ?? '');
    expect([urls, exitCode]).toEqual([[`unix:${socketPath}`, expect.stringMatching(/^http:\/\/127/)], 0]);
  });

  test('serves TLS with a configured certificate, and another one after SIGHUP', async () => {
    await using directory = temporaryDirectory();
    const authority = createCertificateAuthority(Date.now());
    const [pem, key] = [join(directory.path, 'chain.pem'), join(directory.path, 'key.pem')];
    const useCertificate = (subject: string) => {
      const issued = authority.issue({ subject, names: ['localhost'] });
      writeFileSync(pem, issued.pem);
      writeFileSync(key, issued.keyPem);
    };
    const port = await freePort();
    const shown = async () => {
      const socket = tls.connect({ host: '127.0.0.1', port, servername: 'localhost', ca: authority.pem });
      using _closing = { [Symbol.dispose]: () => void socket.destroy() };
      await once(socket, 'secureConnect');
      return socket.getPeerCertificate().subject.CN;
    };
    useCertificate('first');
    const flags = ['--tls-certificate', pem, '--tls-key', key];
    const [dataDir, address] = [join(directory.path, 'data'), `127.0.0.1:${port}`];
    await using service = await startActivated(dataDir, address, ...['--listen', address, ...flags]);
    expect(await shown()).toBe('first');
    useCertificate('second');
    process.kill(service.pid, 'SIGHUP');
    // Whoever shakes hands just then has to try again, as at any port.
    await untilSeen('the other certificate', async () => (await shown().catch(() => null)) === 'second');
    const { told, exitCode } = await service.stop();
    expect([JSON.parse(told.split('\n')[0] ?? '').url, exitCode]).toEqual([`https://${address}`, 0]);
  });

  test.each([
    ['for datagrams', "socket.AF_INET, socket.SOCK_DGRAM), ('127.0.0.1', 0)"],
    ['without a path', "socket.AF_UNIX, socket.SOCK_STREAM), '\\0lurecheck-of-a-test'"],
  ])('%s makes the start fail with an error', async (_, kind) => {
    await using directory = temporaryDirectory();
    const handOver = `import os, socket, sys
def bound(one, at):
    one.bind(at)
    return one
given = bound(socket.socket(${kind})
if given.type == socket.SOCK_STREAM: given.listen()
os.dup2(given.fileno(), 3, inheritable=True)
os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[1], sys.argv[1:])`;
    const serve = [await executable(), 'serve', '--listen', '127.0.0.1:0', '--data-dir', directory.path];
    const { exitCode, stdout, stderr } = Bun.spawnSync(['python3', '-c', handOver, ...serve]);
    expect([exitCode, stdout.toString(), stderr.toString()]).toEqual([
      1,
      '',
      'lurecheck: descriptor 3, which the service manager hands over, is no stream socket at a port or in a file\n',
    ]);
  });

  test('is ignored if it is for another process', async () => {
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

test('with a systemd socket a restart refuses no request, and a port below 1024 needs no capability', async () => {
  await using directory = temporaryDirectory();
  expect(await bootAndLook(directory.path, {}, RESTARTED)).toEqual(['200', 'CapEff:\t0000000000000000', '']);
});
