import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { type CurlWay, curl, curlTo } from '#test/support/curl.ts';
import { freePort } from '#test/support/free-port.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { withPlaces } from '#test/support/with-places.ts';
import { codeIn, WRITTEN } from '../service/manual/written-manual.ts';

const NAME = 'check.example';

/** How the proxy comes to the service: the words of the examples for that, and what they are here. */
const PATHS = {
  'a unix socket': ({ folder }: Places) => ({ '/run/lurecheck/http.sock': join(folder, 'http.sock') }),
  // As the manual says of a proxy on another machine.
  'an address': ({ servicePort }: Places) => {
    const address = `127.0.0.1:${servicePort}`;
    return {
      'unix:/run/lurecheck/http.sock': address,
      'unix@/run/lurecheck/http.sock': address,
      'unix//run/lurecheck/http.sock': address,
      '["unix"]': '["127.0.0.1/32"]',
    };
  },
};

/** Where things lie in this test. */
interface Places {
  readonly folder: string;
  /** Of the proxy. */
  readonly port: number;
  /** Of the service, where it has one. */
  readonly servicePort: number;
}

/** A proxy of the manual: the words of its example that are another's here, and how it is started with what comes of that. */
interface Proxy {
  readonly language: string;
  readonly places: (places: Places) => Readonly<Record<string, string>>;
  readonly configure: (example: string, places: Places) => string;
  readonly start: (config: string) => readonly string[];
}

const PROXIES: Readonly<Record<string, Proxy>> = {
  nginx: {
    language: 'nginx',
    places: ({ folder, port }) => ({
      'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
      '/etc/ssl/check.example/chain.pem': join(folder, 'chain.pem'),
      '/etc/ssl/check.example/key.pem': join(folder, 'key.pem'),
    }),
    // What Debian's file has around it; the folder of this test is for root alone.
    configure: (example, { folder }) =>
      `user root;\ndaemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/nginx.log;\nevents {}\nhttp {\naccess_log off;\n${example}}\n`,
    start: (config) => ['nginx', '-c', config],
  },
  haproxy: {
    language: 'haproxy',
    places: ({ folder, port }) => ({
      'bind :443': `bind 127.0.0.1:${port}`,
      '/etc/haproxy/check.example.pem': join(folder, 'both.pem'),
    }),
    configure: (example) => example,
    start: (config) => ['haproxy', '-db', '-q', '-f', config],
  },
  caddy: {
    language: 'caddy',
    places: ({ folder, port }) => ({
      'check.example {': `https://check.example:${port} {\n\tbind 127.0.0.1`,
      '/etc/ssl/check.example/chain.pem': join(folder, 'chain.pem'),
      '/etc/ssl/check.example/key.pem': join(folder, 'key.pem'),
    }),
    configure: (example) => `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${example}`,
    start: (config) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', config],
  },
};

/** The one example of the manual in a language, with other places, and another way to the service. */
function exampleIn(language: string, places: Readonly<Record<string, string>>, ways: Readonly<Record<string, string>>) {
  const examples = codeIn('proxies', WRITTEN.get('proxies') ?? '').filter(
    (code) => code.language === language && !/auth_(?:request|header)/.test(code.text),
  );
  const [example, ...others] = examples;
  if (!example || others.length > 0) throw new Error(`the manual has ${examples.length} examples for ${language}`);
  const own = Object.entries(ways).filter(([way]) => example.text.includes(way));
  return withPlaces(example.text, { ...places, ...Object.fromEntries(own) });
}

const asJson = (url: string, ...headers: readonly string[]) => [
  ...['content-type: application/json', ...headers].flatMap((header) => ['-H', header]),
  '-d',
  JSON.stringify({ url }),
];

const CASES = Object.entries(PATHS).flatMap(([path, waysOf]) =>
  Object.entries(PROXIES).map(([name, proxy]) => ({ name, path, proxy, waysOf })),
);

describe.each(CASES)('behind $name through $path, as the manual shows it', ({ proxy, waysOf }) => {
  const authority = createCertificateAuthority(Date.now());
  const stack = new AsyncDisposableStack();
  let way: CurlWay;

  beforeAll(async () => {
    const { path: folder } = stack.use(temporaryDirectory());
    const places = { folder, port: await freePort(), servicePort: await freePort() };
    const ways = waysOf(places);
    const issued = authority.issue({ subject: NAME });
    const files = {
      'ca.pem': authority.pem,
      'chain.pem': issued.pem,
      'key.pem': issued.keyPem,
      'both.pem': `${issued.pem}${issued.keyPem}`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    way = { name: NAME, port: places.port, authority: join(folder, 'ca.pem') };

    // Nobody answers there, so that a check takes as long as it may.
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    stack.defer(() => void silent.close());
    await once(silent, 'listening');
    const settings = join(folder, 'lurecheck.toml');
    writeFileSync(settings, exampleIn('toml', {}, ways));
    const flags = ['--network', 'dns', '--dns-server', `127.0.0.1:${silent.address().port}`, '--rate-limit', '2'];
    stack.use(await startService(join(folder, 'data'), ['--config', settings, ...flags]));

    const config = join(folder, 'proxy.conf');
    const example = exampleIn(proxy.language, proxy.places(places), ways);
    writeFileSync(config, proxy.configure(example, places));
    const log = Bun.file(join(folder, 'proxy.log'));
    const child = Bun.spawn([...proxy.start(config)], {
      stdout: 'ignore',
      stderr: log,
      env: { HOME: folder, PATH: '/usr/sbin:/usr/bin' },
    });
    stack.defer(async () => {
      child.kill('SIGTERM');
      await child.exited;
    });
    const isUp = () =>
      curl(way, '/lurecheck/livez').then(
        ({ status }) => status === 200,
        () => false,
      );
    await untilSeen('the proxy', async () => child.exitCode !== null || (await isUp()));
    if (child.exitCode !== null) throw new Error(`${proxy.language} did not start: ${await log.text()}`);
  });
  afterAll(() => stack.disposeAsync());

  test('the page and its files are found below the base path, and the path without a slash redirects there', async () => {
    const page = await curl(way, '/lurecheck/');
    expect([page.status, page.body.slice(0, 15)]).toEqual([200, '<!doctype html>']);
    const named = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(named.length).toBeGreaterThan(2);
    for (const path of [...named, 'help', 'help/proxies', 'swagger', 'api/history', 'readyz']) {
      expect([path, (await curl(way, `/lurecheck/${path}`)).status]).toEqual([path, 200]);
    }
    const bare = await curl(way, '/lurecheck');
    expect([301, 308]).toContain(bare.status);
    expect(new URL(bare.location).pathname).toBe('/lurecheck/');
  });

  test('each client has its own limit by its address, whatever its headers contain', async () => {
    const statusOf = async (from: string, ...headers: readonly string[]) =>
      (await curl(way, '/lurecheck/api/check-url', asJson('http://127.0.0.1/', ...headers), from)).status;
    const [one, two] = ['127.0.0.11', '127.0.0.12'];
    expect([await statusOf(one), await statusOf(one), await statusOf(one)]).toEqual([200, 200, 429]);
    expect(await statusOf(one, 'x-forwarded-for: 192.0.2.7')).toBe(429);
    expect(await statusOf(one, 'forwarded: for=192.0.2.7')).toBe(429);
    expect(await statusOf(one, 'x-forwarded-for: 192.0.2.8', 'forwarded: for=192.0.2.8')).toBe(429);
    expect(await statusOf(two)).toBe(200);
    expect(await statusOf(two, 'forwarded: for=192.0.2.9')).toBe(200);
    expect(await statusOf(two)).toBe(429);
  });

  test('a browser may check from the page, but not from another site', async () => {
    const statusOf = async (origin: string, site: string) =>
      (
        await curl(
          way,
          '/lurecheck/api/check-url',
          asJson('http://127.0.0.1/', `origin: ${origin}`, `sec-fetch-site: ${site}`),
          '127.0.0.13',
        )
      ).status;
    expect(await statusOf(`https://${NAME}:${way.port}`, 'same-origin')).toBe(200);
    expect(await statusOf('https://evil.example', 'cross-site')).toBe(403);
  });

  test('the stages of a check arrive while it is in progress', async () => {
    const asked = curlTo(
      way,
      '/lurecheck/api/check-url/stream',
      ['-N', ...asJson('http://slow.example.com/')],
      '127.0.0.14',
    );
    const child = Bun.spawn(asked, { stdout: 'pipe' });
    const decoder = new TextDecoder();
    const pieces: string[] = [];
    for await (const piece of child.stdout) pieces.push(decoder.decode(piece, { stream: true }));
    expect(pieces.join('')).toContain('event: result');
    expect(pieces[0]).toContain('event: stage');
    // The check waited for a resolver between the two.
    expect(pieces[0]).not.toContain('event: result');
  });
});
