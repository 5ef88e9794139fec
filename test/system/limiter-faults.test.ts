import { describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { RedisClient } from 'bun';
import { DAY_MS } from '#src/core/base/clock.ts';
import { ReadinessSchema } from '#src/service/server/health-routes.ts';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { lurecheck } from '#test/support/executable.ts';
import { freePort } from '#test/support/free-port.ts';
import { ANY_PORT, listen } from '#test/support/listen.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { startRedis } from '#test/support/redis-server.ts';
import { type LoggedEvent, type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';

const PASSWORD = 'swordfish';

/** A service over a limiter; `args` are added to its command line. */
async function startLimited(
  folder: string,
  limiter: string,
  args: readonly string[] = [],
  limit = 2,
): Promise<Service> {
  const key = join(folder, 'client-key');
  await Bun.write(key, new Uint8Array(32).fill(7));
  const usual = ['--rate-limit', String(limit), '--limiter', limiter, '--client-key-file', key];
  return await startService(join(folder, 'data'), [...usual, ...args]);
}

/** What it says to three checks of one client. */
async function threeChecks(service: Service): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < 3; n++) statuses.push((await service.check('http://example.com/')).status);
  return statuses;
}

const toldOfLimiter = (service: Service): LoggedEvent[] =>
  service.events().filter(({ event }) => event.startsWith('limiter.'));

async function noticesOf({ url }: Service): Promise<readonly string[]> {
  return parseAs(ReadinessSchema, await (await fetch(`${url}/readyz`)).json()).notices;
}

/** Counts alone, says why once, and shows no password. */
async function expectAlone(service: Service, reason: string): Promise<void> {
  expect(await threeChecks(service)).toEqual([200, 200, 429]);
  await until(() => toldOfLimiter(service).some(({ event }) => event === 'limiter.local'));
  const told = toldOfLimiter(service).filter(({ event }) => event === 'limiter.local');
  expect(told.map((line) => [line.level, line['reason']])).toEqual([['warn', expect.stringContaining(reason)]]);
  expect(await noticesOf(service)).toEqual(['The shared limiter is unavailable: this node counts its clients alone.']);
  expect(service.output.stdout + service.output.stderr).not.toContain(PASSWORD);
}

describe('a node counts alone, and logs the reason in one line,', () => {
  test('if no server listens', async () => {
    await using directory = temporaryDirectory();
    await using service = await startLimited(directory.path, `redis://:${PASSWORD}@127.0.0.1:${await freePort()}`);
    await expectAlone(service, 'it cannot be reached');
  });

  test.each([
    ['a wrong password', ':wrong-swordfish@localhost'],
    ['no password', ''],
  ])('with %s', async (_, credentials) => {
    await using directory = temporaryDirectory();
    await using redis = await startRedis(['--requirepass', 'right']);
    await using service = await startLimited(directory.path, `redis+unix://${credentials}${redis.socket}`);
    await expectAlone(service, 'it refuses the name or the password');
  });

  test('if the server is a replica', async () => {
    await using directory = temporaryDirectory();
    await using redis = await startRedis(['--replicaof', '127.0.0.1 1']);
    await using service = await startLimited(directory.path, redis.url);
    await expectAlone(service, 'it is a replica, which cannot count');
  });

  test('if its user may not run scripts', async () => {
    await using directory = temporaryDirectory();
    await using redis = await startRedis(['--user', 'box', 'on', `>${PASSWORD}`, '~lure:*', '+@all', '-@scripting']);
    const url = `redis+unix://box:${PASSWORD}@localhost${redis.socket}`;
    await using service = await startLimited(directory.path, url);
    await expectAlone(service, 'its user may not do that');
  });

  test('if the server uses another protocol', async () => {
    await using directory = temporaryDirectory();
    await using other = await listen(
      createServer((socket) => socket.on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))),
      ANY_PORT,
    );
    await using service = await startLimited(directory.path, `redis://127.0.0.1:${other.port}`);
    await expectAlone(service, '');
  });

  test('if the server does not answer, and the start succeeds anyway', async () => {
    await using directory = temporaryDirectory();
    await using silent = await listen(createServer(), ANY_PORT);
    await using service = await startLimited(directory.path, `redis://127.0.0.1:${silent.port}`);
    await expectAlone(service, 'it does not answer in time');
  });
});

describe('a node counts with the others again', () => {
  /** Until it says so. */
  const shared = (service: Service) => until(() => toldOfLimiter(service).at(-1)?.event === 'limiter.shared');

  test('once a full server has free memory', async () => {
    await using directory = temporaryDirectory();
    await using redis = await startRedis(['--maxmemory', '1']);
    await using service = await startLimited(directory.path, redis.url);
    await expectAlone(service, 'its memory is full');
    const admin = new RedisClient(redis.url);
    await admin.send('CONFIG', ['SET', 'maxmemory', '0']);
    admin.close();
    await shared(service);
    expect(await noticesOf(service)).toEqual([]);
  });

  test('once a server has loaded its data', async () => {
    await using directory = temporaryDirectory();
    await using folder = temporaryDirectory();
    {
      await using redis = await startRedis([], folder.path);
      const admin = new RedisClient(redis.url);
      for (let n = 0; n < 2000; n++) void admin.set(`key ${n}`, 'value');
      await admin.send('SAVE', []);
      admin.close();
    }
    // Two milliseconds for a key, and an ear for clients every few of them.
    const slowly = ['--key-load-delay', '2000', '--loading-process-events-interval-bytes', '1024'];
    await using redis = await startRedis(slowly, folder.path);
    await using service = await startLimited(directory.path, redis.url);
    await expectAlone(service, 'it is still reading its data');
    await shared(service);
  });

  test('once a server that was killed during checks runs again, and no check fails', async () => {
    await using directory = temporaryDirectory();
    await using folder = temporaryDirectory();
    const port = await freePort();
    const args = ['--port', String(port), '--bind', '127.0.0.1'];
    const first = await startRedis(args, folder.path);
    await using service = await startLimited(directory.path, `redis://127.0.0.1:${port}`, [], 1000);
    const asked = Array.from({ length: 100 }, (_, n) => service.check(`http://example.com/${n}`));
    await first[Symbol.asyncDispose]();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
    await until(() => toldOfLimiter(service).at(-1)?.event === 'limiter.local');
    await using _again = await startRedis(args, folder.path);
    await shared(service);
  });
});

test('nodes skip a replica, and use it after its promotion once the primary is a replica', async () => {
  await using directory = temporaryDirectory();
  const port = await freePort();
  const [first, limit] = [`redis://127.0.0.1:${port}`, 6];
  await using primary = await startRedis(['--port', String(port), '--bind', '127.0.0.1']);
  await using replica = await startRedis(['--replicaof', `127.0.0.1 ${port}`]);
  const more = ['--limiter', first, '--admin-listen', '127.0.0.1:0'];
  await using one = await startLimited(join(directory.path, 'one'), replica.url, more, limit);
  await using other = await startLimited(join(directory.path, 'other'), replica.url, more, limit);
  const nodes = [one, other];
  const toldLast = () =>
    nodes.map((node) => toldOfLimiter(node).at(-1)).map((line) => [line?.event, line?.['limiter']]);
  await until(() => toldLast().every(([event]) => event === 'limiter.shared'));
  expect(toldLast()).toEqual(nodes.map(() => ['limiter.shared', first]));
  const statusAt = async (node: Service) => (await node.check('http://example.com/')).status;
  expect(await statusAt(one)).toBe(200);

  const tell = async (redis: { readonly url: string }, ...words: readonly string[]) => {
    const admin = new RedisClient(redis.url);
    await admin.send('REPLICAOF', [...words]);
    admin.close();
  };
  await tell(primary, '127.0.0.1', '1');
  expect([await statusAt(one), await statusAt(other)]).toEqual([200, 200]);
  // Each says first which server it left, and then that there is none.
  await until(() => toldLast().every(([, limiter]) => limiter === `${replica.url}, ${first}`));
  for (const node of nodes) {
    expect(String(toldOfLimiter(node).at(-1)?.['reason']).match(/it is a replica, which cannot count/g)).toHaveLength(
      2,
    );
  }
  await tell(replica, 'NO', 'ONE');
  await until(() => toldLast().every(([event]) => event === 'limiter.shared'));
  expect(toldLast()).toEqual(nodes.map(() => ['limiter.shared', replica.url]));

  // Alone, they would admit nine of these.
  const statuses: number[] = [];
  for (let n = 0; n < limit; n++) for (const node of nodes) statuses.push(await statusAt(node));
  expect(statuses.filter((status) => status === 200).length).toBeWithin(limit - 2, limit + 1);
  const ready = one.events().find(({ event }) => event === 'server.listening');
  const metrics = await (await fetch(`${ready?.['admin_url']}/metrics`)).text();
  expect(metrics).toContain('lurecheck_limiter_turns_total{to="shared"} 2\n');
  expect(metrics).toContain('lurecheck_limiter_turns_total{to="local"} 1\n');
});

test('a former primary that returns and accepts writes is reported, and no node uses it', async () => {
  await using directory = temporaryDirectory();
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--repl-diskless-sync-delay', '0'];
  const first = `redis://127.0.0.1:${port}`;
  const primary = await startRedis(args);
  await using replica = await startRedis(['--replicaof', `127.0.0.1 ${port}`]);
  // The one that will be the former primary is named first.
  const start = (name: string) => startLimited(join(directory.path, name), first, ['--limiter', replica.url]);
  await using one = await start('one');
  const last = (node: Service, event: string) =>
    toldOfLimiter(node).findLast((line) => line.event === event)?.['limiter'];
  expect(last(one, 'limiter.shared')).toBe(first);
  const admin = new RedisClient(replica.url);
  await until(async () => (await admin.get('lure:term')) !== null);
  await primary[Symbol.asyncDispose]();
  await admin.send('REPLICAOF', ['NO', 'ONE']);
  await until(() => last(one, 'limiter.shared') === replica.url);
  expect(await admin.get('lure:term')).toBe(`2 ${replica.url}`);

  await using back = await startRedis(args);
  await until(() => last(one, 'limiter.outdated') === first);
  const notice =
    'A former primary of the limiter accepts writes beside the server that replaced it: make it a replica.';
  expect(await noticesOf(one)).toEqual([notice]);
  // Who was not there at that time finds the right one, too.
  await using other = await start('other');
  expect([last(other, 'limiter.shared'), last(other, 'limiter.outdated')]).toEqual([replica.url, first]);
  expect([...(await threeChecks(one)), ...(await threeChecks(other))]).toEqual([200, 200, 429, 429, 429, 429]);
  // While the right one hangs, both count alone.
  replica.pause();
  for (const node of [one, other]) await node.check('http://example.com/');
  await until(() => last(one, 'limiter.local')?.toString().includes(first) === true);
  // A node that knows nothing of it counts in the only one that answers, until the right one does.
  await using fresh = await start('fresh');
  expect(last(fresh, 'limiter.shared')).toBe(first);
  replica.resume();
  await until(() => [one, fresh].every((node) => last(node, 'limiter.shared') === replica.url));
  const former = new RedisClient(back.url);
  expect(await former.keys('lure:client*')).toEqual([]);
  await former.send('REPLICAOF', ['127.0.0.1', '1']);
  former.close();
  admin.close();
  await until(async () => (await noticesOf(fresh)).length === 0);
});

describe('a server with TLS', () => {
  const authority = createCertificateAuthority(Date.now());

  async function startWithTls(folder: string, notAfterMs = Date.now() + 15 * DAY_MS) {
    const names = ['localhost', '127.0.0.1'];
    const { pem, keyPem } = authority.issue({ subject: 'redis.example', names, notAfterMs });
    const port = await freePort();
    const files = {
      certificate: join(folder, 'redis.pem'),
      key: join(folder, 'redis.key'),
      ca: join(folder, 'ca.pem'),
    };
    await Bun.write(files.certificate, pem);
    await Bun.write(files.key, keyPem);
    await Bun.write(files.ca, authority.pem);
    const redis = await startRedis([
      ...['--tls-port', String(port), '--tls-cert-file', files.certificate, '--tls-key-file', files.key],
      ...['--tls-ca-cert-file', files.ca, '--tls-auth-clients', 'no'],
    ]);
    return { redis, port, ca: files.ca };
  }

  test('is used only if a configured authority has signed its certificate, whatever the environment contains', async () => {
    await using directory = temporaryDirectory();
    const { redis, port, ca } = await startWithTls(directory.path);
    await using _ = redis;
    {
      await using service = await startLimited(join(directory.path, 'a'), `rediss://127.0.0.1:${port}?ca=${ca}`);
      expect(await threeChecks(service)).toEqual([200, 200, 429]);
      expect(toldOfLimiter(service).map(({ event }) => event)).toEqual(['limiter.shared']);
    }
    const careless = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const key = join(directory.path, 'a', 'client-key');
    const args = ['--rate-limit', '2', '--limiter', `rediss://127.0.0.1:${port}`, '--client-key-file', key];
    await using service = await startService(join(directory.path, 'b'), args, careless);
    await expectAlone(service, 'its certificate is signed by an authority that is not trusted here');
  });

  test('has a certificate whose expiry doctor reports', async () => {
    await using directory = temporaryDirectory();
    const { redis, port, ca } = await startWithTls(directory.path, Date.now() - DAY_MS);
    await using _ = redis;
    const key = join(directory.path, 'client.key');
    await Bun.write(key, Buffer.alloc(32, 7));
    const limiter = ['--limiter', `rediss://127.0.0.1:${port}?ca=${ca}`, '--client-key-file', key];
    const { stdout } = await lurecheck(['doctor', '--data-dir', join(directory.path, 'a'), ...limiter]);
    expect(stdout).toMatch(new RegExp(`The certificate of rediss://127.0.0.1:${port}\\S* has expired`));
  });

  test('is refused if its certificate is for another name', async () => {
    await using directory = temporaryDirectory();
    const { redis, port, ca } = await startWithTls(directory.path);
    await using _ = redis;
    await using service = await startLimited(join(directory.path, 'a'), `rediss://127.0.0.2:${port}?ca=${ca}`);
    await expectAlone(service, 'its certificate is for another name');
  });
});

test('two nodes enforce one limit, and the server stores no client address', async () => {
  await using directory = temporaryDirectory();
  await using redis = await startRedis();
  await using one = await startLimited(join(directory.path, 'one'), redis.url);
  await using other = await startLimited(join(directory.path, 'other'), redis.url);
  const statuses: number[] = [];
  for (const service of [one, other, one, other]) statuses.push((await service.check('http://example.com/')).status);
  expect(statuses).toEqual([200, 200, 429, 429]);
  const admin = new RedisClient(redis.url);
  const keys = await admin.keys('*');
  admin.close();
  expect(keys.filter((key) => key !== 'lure:trial')).toEqual([expect.stringMatching(/^lure:[\w-]{16}$/)]);
});

test.each(['127.0.0.1', 'localhost'])(
  'no check reaches a limiter at %s, even if its address and port are allowed',
  async (host) => {
    await using directory = temporaryDirectory();
    const port = await freePort();
    await using redis = await startRedis(['--port', String(port), '--bind', '127.0.0.1']);
    const open = ['--network', 'full', '--egress-allow', '127.0.0.0/8', '--egress-port', String(port)];
    await using service = await startLimited(directory.path, `redis://${host}:${port}`, open);
    await until(() => toldOfLimiter(service).length > 0);
    const admin = new RedisClient(redis.url);
    const connections = async () =>
      Number(/total_connections_received:(\d+)/.exec(String(await admin.send('INFO', ['stats'])))?.[1]);
    const before = await connections();
    const { analysis_details } = await service.result(`http://127.0.0.1:${port}/`);
    expect(analysis_details.unavailable).toContainEqual({ component: 'page', reason: 'refused_by_policy' });
    expect(await connections()).toBe(before);
    admin.close();
  },
);

test('settings that leave clients uncounted are refused before the start', async () => {
  await using directory = temporaryDirectory();
  const key = join(directory.path, 'short-key');
  await Bun.write(key, 'short');
  const secret = join(directory.path, 'limiter');
  await Bun.write(secret, `redis://:${PASSWORD}@127.0.0.1:6379\n`);
  const said = async (...args: string[]) => {
    const { exitCode, stderr, stdout } = await lurecheck(['config', 'check', '--network', 'none', ...args]);
    expect(stderr + stdout).not.toContain(PASSWORD);
    return [exitCode, stderr];
  };
  const url = `file:${secret}`;
  expect(await said('--limiter', url)).toEqual([2, expect.stringContaining('client_key_file is not')]);
  expect(await said('--limiter', url, '--client-key-file', key)).toEqual([2, expect.stringContaining('holds 5 bytes')]);
  expect(await said('--limiter', `redis://:${PASSWORD}@192.0.2.1`)).toEqual([2, expect.stringContaining('?tls=off')]);
  const whole = join(directory.path, 'key');
  await Bun.write(whole, new Uint8Array(32));
  expect(await said('--limiter', url, '--client-key-file', whole)).toEqual([0, '']);
  const { stdout } = await lurecheck(['config', 'show', '--limiter', url, '--client-key-file', whole]);
  expect(stdout).toContain('redis://:***@127.0.0.1:6379');
});
