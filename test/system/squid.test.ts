import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { lurecheck } from '#test/support/executable.ts';
import { freePort } from '#test/support/free-port.ts';
import { icapPorts, startIcapService } from '#test/support/icap-service.ts';
import { SQUID_OPENSSL, type SquidOptions, startSquid } from '#test/support/squid.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { withPlaces } from '#test/support/with-places.ts';
import { codeIn, WRITTEN } from '../service/manual/written-manual.ts';

/** Names that the hosts file of Squid leads to this host. */
const NAMES = ['good.example.com', 'listed.example.com', 'check.example'];
const HOLD = ['--gate-mode', 'hold'];

/** Examples of the manual for Squid, in order. */
const [PLAIN = '', TWO = '', EXEMPT = '', TLS = ''] = codeIn('drop-in', WRITTEN.get('drop-in') ?? '')
  .filter(({ language }) => language === 'squid')
  .map(({ text }) => text);

const place = '127.0.0.1:1344';

/** An origin that says what it was asked, and how long the body was. */
function startOrigin(tls?: { readonly cert: string; readonly key: string }) {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    maxRequestBodySize: 256 * 2 ** 20,
    ...(tls && { tls }),
    async fetch(request) {
      let length = 0;
      for await (const chunk of request.body ?? []) length += chunk.length;
      return new Response(`${request.method} ${new URL(request.url).pathname} ${length}`);
    },
  });
}

/** A box with a list, Squid before it, and an origin behind Squid. */
async function openWorld(
  options: Omit<SquidOptions, 'config' | 'names'> & { readonly config: (folder: string, icapPort: number) => string },
  args = HOLD,
) {
  const stack = new AsyncDisposableStack();
  const directory = stack.use(temporaryDirectory());
  const { exitCode } = await lurecheck(['lists', 'add', 'ours', 'listed.example.com', '--data-dir', directory.path]);
  expect(exitCode).toBe(0);
  const { service, port } = await startIcapService(directory.path, args);
  stack.use(service);
  const origin = startOrigin();
  stack.defer(() => origin.stop(true));
  const squid = stack.use(
    await startSquid({ names: NAMES, ...options, config: (folder) => options.config(folder, port) }),
  );
  const proxy = `http://127.0.0.1:${squid.port}`;
  return {
    service,
    squid,
    proxy,
    dataDir: directory.path,
    at: (host: string, path = '/page') => `http://${host}:${origin.port}${path}`,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** What curl writes after a body: the status of the answer, and that to CONNECT. */
const WRITTEN_OUT = '\n%{http_code} %{http_connect}';

/** Status and body through a proxy by curl. `000` is a connection that was closed without an answer. */
async function get(
  proxy: string,
  url: string,
  ...args: readonly string[]
): Promise<{ readonly status: string; readonly body: string }> {
  const child = Bun.spawn(['curl', '-s', '-x', proxy, '-o', '-', '-w', WRITTEN_OUT, ...args, url], { stdout: 'pipe' });
  const text = await child.stdout.text();
  const [, body = '', status = '', connect = ''] = /^([\s\S]*)\n(\d{3}) (\d{3})$/.exec(text) ?? [];
  return { status: status === '000' ? connect : status, body };
}

/** The same of a request that is held. On a busy host the service may wait for the processor, and then lets requests pass. */
async function getHeld(proxy: string, url: string, ...args: readonly string[]) {
  let answer = { status: '', body: '' };
  await untilSeen('a held request', async () => {
    answer = await get(proxy, url, ...args);
    return answer.status === '403';
  });
  return answer;
}

const plain = (_: string, port: number) => withPlaces(PLAIN, { [place]: `127.0.0.1:${port}` });

describe('Squid as the manual configures it', () => {
  let world: Awaited<ReturnType<typeof openWorld>>;
  beforeAll(async () => {
    world = await openWorld({ config: plain });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test('passes an ordinary page and shows the block page for a listed one', async () => {
    const { proxy, at } = world;
    expect(await get(proxy, at('good.example.com'))).toEqual({ status: '200', body: 'GET /page 0' });
    const { body } = await getHeld(proxy, at('listed.example.com', '/secret?x=1'), '-H', 'Accept-Language: it');
    expect(body).toContain('<bdi>listed.example.com</bdi>');
    expect(body).toContain('lang="it"');
    expect(body).not.toContain('secret');
    await getHeld(proxy, 'http://block.lurecheck.test/');
  });

  test('refuses a tunnel to a listed host, and a file of it over ftp', async () => {
    await getHeld(world.proxy, 'https://listed.example.com/');
    await getHeld(world.proxy, 'ftp://listed.example.com/file');
  });

  test.each(['icap_preview_enable on', 'icap_preview_enable off'])(
    'uploads pass completely or are held completely, with %s',
    async (preview) => {
      // Squid 5.7 closes an upload that fills its buffer (Squid bug 5405): this buffer is larger than the upload.
      const buffer = 'client_request_buffer_max_size 64 MB';
      await using other = await openWorld({
        config: (folder, port) => `${plain(folder, port)}${preview}\n${buffer}\n`,
      });
      const file = join(other.squid.folder, 'upload');
      writeFileSync(file, Buffer.alloc(50 * 2 ** 20, 'x'));
      const upload = ['-H', 'Expect:', '--data-binary', `@${file}`];
      const chunked = ['-H', 'Transfer-Encoding: chunked', ...upload];
      expect(await get(other.proxy, other.at('good.example.com'), ...upload)).toEqual({
        status: '200',
        body: `POST /page ${50 * 2 ** 20}`,
      });
      expect(await get(other.proxy, other.at('good.example.com'), ...chunked)).toEqual({
        status: '200',
        body: `POST /page ${50 * 2 ** 20}`,
      });
      await getHeld(other.proxy, other.at('listed.example.com'), ...upload);
      // The next request on the same connection.
      const [held, passed] = [other.at('listed.example.com'), other.at('good.example.com')];
      const reuse = ['-d', 'x', '-o', '/dev/null', held, '--next', '-s', '-x', other.proxy, '-w', WRITTEN_OUT];
      expect((await get(other.proxy, passed, ...reuse)).body).toContain('GET /page 0');
    },
  );

  test('a host that is allowed later passes at once', async () => {
    await using other = await openWorld({ config: plain });
    await getHeld(other.proxy, other.at('listed.example.com'));
    await lurecheck([
      'lists',
      'add',
      'gate',
      'http://listed.example.com/',
      '--action',
      'allow',
      '--data-dir',
      other.dataDir,
    ]);
    await lurecheck(['lists', 'remove', 'ours', 'listed.example.com', '--data-dir', other.dataDir]);
    await untilSeen('it passes', async () => (await get(other.proxy, other.at('listed.example.com'))).status === '200');
  });
});

test('in watch mode a listed page passes unchanged, and is recorded', async () => {
  await using world = await openWorld({ config: plain }, []);
  await untilSeen('a record', async () => {
    expect(await get(world.proxy, world.at('listed.example.com'))).toEqual({ status: '200', body: 'GET /page 0' });
    return world.service.events().some(({ event }) => event === 'gate.held');
  });
});

test('names and passwords of proxy users are in no file and no output', async () => {
  const password = `zq${crypto.randomUUID().replaceAll('-', '')}`;
  const auth =
    'auth_param basic program /usr/lib/squid/basic_fake_auth\nacl known proxy_auth REQUIRED\nhttp_access deny !known\n';
  const config = (folder: string, port: number) =>
    `${plain(folder, port)}icap_send_client_username on\nadaptation_send_username on\n${auth}`;
  await using world = await openWorld(
    { config: (folder, port) => config(folder, port).replace('icap_send_client_username on\n', '') },
    [...HOLD, '--log-level', 'debug'],
  );
  const user = ['-U', `annaplanted:${password}`];
  await getHeld(world.proxy, world.at('listed.example.com'), ...user);
  expect((await get(world.proxy, world.at('good.example.com'), ...user)).status).toBe('200');
  await untilSeen('a record', () => world.service.events().some(({ event }) => event === 'gate.held'));
  const output = world.service.output.stdout + world.service.output.stderr;
  for (const planted of [password, 'annaplanted', btoa(`annaplanted:${password}`)]) {
    expect(output).not.toContain(planted);
    expect(filesWith(world.dataDir, planted)).toEqual([]);
  }
});

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .filter((name) => readFileSync(join(folder, name)).includes(text));
}

describe('a service that fails', () => {
  test('killed: everything passes at once', async () => {
    await using world = await openWorld({ config: plain });
    await getHeld(world.proxy, world.at('listed.example.com'));
    await world.service.kill();
    expect((await get(world.proxy, world.at('listed.example.com'))).status).toBe('200');
  });

  test('hung: after a few slow requests everything passes, and requests are held again once it continues', async () => {
    await using world = await openWorld({ config: plain });
    const status = async () => (await get(world.proxy, world.at('listed.example.com'))).status;
    await untilSeen('it holds', async () => (await status()) === '403');
    process.kill(world.service.pid, 'SIGSTOP');
    try {
      const slow = await Promise.all(Array.from({ length: 12 }, status));
      expect(new Set(slow)).toEqual(new Set(['200']));
      expect(await status()).toBe('200');
    } finally {
      process.kill(world.service.pid, 'SIGCONT');
    }
    await untilSeen('it protects again', async () => (await status()) === '403');
  });

  test('one of two killed: the other one holds requests, and everything passes once both are killed', async () => {
    await using directory = temporaryDirectory();
    await lurecheck(['lists', 'add', 'ours', 'listed.example.com', '--data-dir', directory.path]);
    const second = await startIcapService(directory.path, HOLD);
    await using _ = second.service;
    const places = { '192.0.2.12:1344': `127.0.0.1:${second.port}` };
    const config = (_folder: string, port: number) =>
      withPlaces(TWO, { ...places, '192.0.2.11:1344': `127.0.0.1:${port}` });
    await using world = await openWorld({ config });
    const status = async () => (await get(world.proxy, world.at('listed.example.com'))).status;
    await untilSeen('it holds', async () => (await status()) === '403');
    await world.service.kill();
    await untilSeen('the second holds', async () => (await status()) === '403');
    expect((await get(world.proxy, world.at('good.example.com'))).status).toBe('200');
    await second.service.kill();
    await untilSeen('everything passes', async () => (await status()) === '200');
  });
});

describe('Squid that decrypts https', () => {
  const authority = createCertificateAuthority(Date.now());

  /** Squid that decrypts everything, before an origin with https. */
  async function openDecrypting(config: (folder: string, port: number) => string) {
    const issued = authority.issue({ subject: 'good.example.com', names: ['good.example.com', 'listed.example.com'] });
    const origin = startOrigin({ cert: issued.pem, key: issued.keyPem });
    const world = await openWorld({
      program: SQUID_OPENSSL,
      portOptions: (folder) => `ssl-bump generate-host-certificates=on tls-cert=${folder}/signing.pem`,
      async prepare(folder) {
        const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', join(folder, 'signing.pem')];
        const self = [
          'req',
          '-x509',
          '-days',
          '30',
          '-subj',
          '/CN=proxy',
          '-addext',
          'basicConstraints=critical,CA:TRUE',
          ...key,
          '-out',
          join(folder, 'signing.crt'),
        ];
        expect(await Bun.spawn(['openssl', ...self], { stderr: 'ignore' }).exited).toBe(0);
        writeFileSync(
          join(folder, 'signing.pem'),
          readFileSync(join(folder, 'signing.crt')) + readFileSync(join(folder, 'signing.pem'), 'utf8'),
        );
        writeFileSync(join(folder, 'origin-ca.pem'), authority.pem);
        const certificates = [
          '/opt/squid-openssl/usr/lib/squid/security_file_certgen',
          '-c',
          '-s',
          join(folder, 'certificates'),
          '-M',
          '4MB',
        ];
        expect(
          await Bun.spawn(['runuser', '-u', 'proxy', '--', ...certificates], { stdout: 'ignore', stderr: 'ignore' })
            .exited,
        ).toBe(0);
      },
      config: (folder, port) =>
        [
          `sslcrtd_program /opt/squid-openssl/usr/lib/squid/security_file_certgen -s ${folder}/certificates -M 4MB`,
          `tls_outgoing_options cafile=${folder}/origin-ca.pem`,
          'ssl_bump bump all',
          config(folder, port),
        ].join('\n'),
    });
    const trust = ['--cacert', join(world.squid.folder, 'signing.crt')];
    return {
      ...world,
      trust,
      secure: (host: string, path: string) => `https://${host}:${origin.port}${path}`,
      async [Symbol.asyncDispose]() {
        await world[Symbol.asyncDispose]();
        await origin.stop(true);
      },
    };
  }

  test('shows the block page for a request in a tunnel if tunnels are exempt, as documented', async () => {
    const config = (folder: string, port: number) =>
      plain(folder, port).replace('adaptation_access lurecheck allow all\n', EXEMPT);
    await using world = await openDecrypting(config);
    expect(await get(world.proxy, world.secure('good.example.com', '/inner'), ...world.trust)).toEqual({
      status: '200',
      body: 'GET /inner 0',
    });
    const held = await getHeld(world.proxy, world.secure('listed.example.com', '/inner'), ...world.trust);
    expect(held.body).toContain('<bdi>listed.example.com</bdi>');
  });

  test('closes the tunnel otherwise', async () => {
    await using world = await openDecrypting(plain);
    await getHeld(world.proxy, world.secure('listed.example.com', '/inner'), ...world.trust);
  });

  test('sends requests over TLS', async () => {
    await using directory = temporaryDirectory();
    const issued = authority.issue({ subject: 'check.example' });
    const files = {
      chain: join(directory.path, 'chain.pem'),
      key: join(directory.path, 'key.pem'),
      ca: join(directory.path, 'ca.pem'),
    };
    // Squid reads it as its own user.
    chmodSync(directory.path, 0o755);
    writeFileSync(files.chain, issued.pem);
    writeFileSync(files.key, issued.keyPem);
    writeFileSync(files.ca, authority.pem);
    const tlsPort = await freePort();
    const pair = [
      '--tls-certificate',
      files.chain,
      '--tls-key',
      files.key,
      '--icap-tls-listen',
      `127.0.0.1:${tlsPort}`,
    ];

    const tlsLine = (port: number) =>
      withPlaces(TLS, { 'check.example:11344': `check.example:${port}`, '/etc/ssl/check.example/ca.pem': files.ca });
    const plainLine = /^icap_service(?:[^\n]*\\\n)*[^\n]*\n/m;
    await using world = await openWorld(
      { program: SQUID_OPENSSL, config: (folder, port) => plain(folder, port).replace(plainLine, tlsLine(tlsPort)) },
      [...HOLD, ...pair],
    );
    expect(icapPorts(world.service)).toContain(tlsPort);
    await getHeld(world.proxy, world.at('listed.example.com'));
    expect((await get(world.proxy, world.at('good.example.com'))).status).toBe('200');
  });
});

describe('c-icap-client', () => {
  const WAYS = [[], ['-nopreview'], ['-no204'], ['-no204', '-nopreview'], ['-w', '1024']];
  test('gets an answer with each combination of its options', async () => {
    await using directory = temporaryDirectory();
    const { service, port } = await startIcapService(directory.path, HOLD);
    await using _ = service;
    const ask = async (...args: readonly string[]) => {
      const child = Bun.spawn(['c-icap-client', '-i', '127.0.0.1', '-p', String(port), '-s', 'reqmod', '-v', ...args], {
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      return stdout + stderr;
    };
    expect(await ask()).toContain('Methods: REQMOD');
    const body = join(directory.path, 'body');
    writeFileSync(body, 'y'.repeat(3000));
    for (const way of WAYS) {
      const without = await ask('-req', 'http://good.example.com/', ...way);
      expect([way, /ICAP\/1\.0 (204|200)/.exec(without)?.[1]]).toEqual([way, way.includes('-no204') ? '200' : '204']);
      const held = ['-req', 'http://block.lurecheck.test/', ...way];
      await untilSeen('a held request', async () => (await ask(...held)).includes('HTTP/1.1 403'));
    }
    // With a preview, this client reads no answer but 100 and 204.
    const heldUpload = ['-req', 'http://block.lurecheck.test/', '-f', body, '-nopreview'];
    await untilSeen('a held upload', async () => (await ask(...heldUpload)).includes('HTTP/1.1 403'));
    expect(await ask('-req', 'http://good.example.com/', '-f', body, '-no204', '-nopreview')).toContain(
      'y'.repeat(100),
    );
  });
});
