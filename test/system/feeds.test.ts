import { afterAll, expect, test } from 'bun:test';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DnsServer, serveDns } from '#test/network/egress/dns-server.ts';
import { lurecheck } from '#test/support/executable.ts';
import { freePort } from '#test/support/free-port.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { withPlaces } from '#test/support/with-places.ts';
import { codeIn, WRITTEN } from '../service/manual/written-manual.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());
const { path: folder } = opened.use(temporaryDirectory());
const dataDir = join(folder, 'data');
const data = ['--data-dir', dataDir];

async function run(...words: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await lurecheck([...words, ...data]);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout.trim();
}

await run('lists', 'add', 'ours', 'evil.example', '--action', 'block');
await run('lists', 'add', 'ours', 'wide.example', '--action', 'block');
await run('lists', 'add', 'ours', 'http://shared.example/kit', '--action', 'block');
await run('lists', 'add', 'fine', 'good.wide.example', '--action', 'allow');
const key = await run('key', 'create', 'firewall', '--scope', 'feed');
const service = opened.use(await startService(dataDir, ['--feeds', '--feed-peers', '127.0.0.1/32']));

/** Returns the snippet of the manual in a language that contains a text. */
function snippet(language: string, holding: string): string {
  const codes = codeIn('drop-in', WRITTEN.get('drop-in') ?? '').filter((code) => code.language === language);
  const found = codes.filter(({ text }) => text.includes(holding));
  expect(found).toHaveLength(1);
  return found[0]?.text ?? '';
}

/** Starts Unbound with the snippet of the manual, before a server that knows every name. */
async function startUnbound(dns: DnsServer) {
  const [place, port] = [join(folder, 'unbound'), await freePort()];
  mkdirSync(place);
  const example = withPlaces(snippet('yaml', 'rpz:'), {
    'http://127.0.0.1:8080': service.url,
    '/var/lib/unbound': place,
  });
  const own = [
    ...[`interface: 127.0.0.1@${port}`, 'username: ""', 'chroot: ""', `directory: "${place}"`, 'pidfile: ""'],
    ...['use-syslog: no', 'logfile: ""', 'do-daemonize: no', 'do-ip6: no', 'do-not-query-localhost: no'],
  ];
  const config = join(place, 'unbound.conf');
  const lines = (section: string, settings: readonly string[]) =>
    `${section}:\n${settings.map((line) => `  ${line}\n`).join('')}`;
  const { address, port: upstream } = dns.endpoint;
  const forward = lines('forward-zone', ['name: "."', `forward-addr: ${address}@${upstream}`]);
  writeFileSync(config, `${example}${lines('server', own)}${forward}`);
  const checked = Bun.spawnSync(['unbound-checkconf', config]);
  expect([checked.stderr.toString(), checked.exitCode]).toEqual(['', 0]);
  const log = Bun.file(join(place, 'log'));
  const child = Bun.spawn(['unbound', '-d', '-c', config], { stdout: log, stderr: log });
  const ask = async (name: string) => {
    const asked = Bun.spawn(['dig', '+tries=1', '+time=2', '-p', String(port), '@127.0.0.1', name, 'A'], {
      stdout: 'pipe',
    });
    const text = await asked.stdout.text();
    return /status: (\w+)/.exec(text)?.[1] ?? null;
  };
  return {
    ask,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
    },
  };
}

test('Unbound pulls the zone, and blocks its names', async () => {
  await using dns = await serveDns(({ type }) =>
    type === 'A' ? { answers: [{ name: '@', type: 'A', ttl: 1, data: '192.0.2.80' }] } : {},
  );
  await using unbound = await startUnbound(dns);
  await untilSeen('a blocked name', async () => (await unbound.ask('evil.example')) === 'NXDOMAIN');
  expect(await unbound.ask('www.evil.example')).toBe('NXDOMAIN');
  expect(await unbound.ask('www.wide.example')).toBe('NXDOMAIN');
  // What is allowed within, what is blocked for one URL, and what nobody listed.
  for (const name of ['good.wide.example', 'shared.example', 'other.example'])
    expect([name, await unbound.ask(name)]).toEqual([name, 'NOERROR']);
});

test('BIND and Squid accept what the script of the manual pulls, and an unchanged zone causes no reload', async () => {
  const place = join(folder, 'bind');
  mkdirSync(place);
  const reloaded = join(place, 'reloaded');
  const tools = join(place, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'rndc'), `#!/bin/sh\necho "$@" >>${reloaded}\n`);
  chmodSync(join(tools, 'rndc'), 0o755);
  const script = withPlaces(snippet('sh', 'rndc'), {
    ...{ '/var/lib/bind': place, 'lck_…': key, 'http://127.0.0.1:8080': service.url },
  });
  const pull = () => {
    const ran = Bun.spawnSync(['sh', '-c', script], { env: { PATH: `${tools}:/usr/bin:/bin:/usr/sbin` } });
    return ran.exitCode;
  };
  const reloads = () => (existsSync(reloaded) ? readFileSync(reloaded, 'utf8').split('\n').length - 1 : 0);
  expect([pull(), reloads()]).toEqual([0, 1]);
  const checked = Bun.spawnSync(['named-checkzone', 'rpz.lurecheck', join(place, 'rpz.lurecheck')]);
  expect([checked.stderr.toString(), checked.exitCode]).toEqual(['', 0]);
  const serial = () => Number(/ SOA \S+ \S+ (\d+) /.exec(readFileSync(join(place, 'rpz.lurecheck'), 'utf8'))?.[1]);
  const before = [serial(), statSync(join(place, 'rpz.lurecheck')).ino];
  expect([pull(), reloads()]).toEqual([0, 1]);
  expect([serial(), statSync(join(place, 'rpz.lurecheck')).ino]).toEqual(before);

  await run('lists', 'add', 'ours', 'late.example', '--action', 'block');
  await untilSeen('the change', () => {
    pull();
    return reloads() === 2;
  });
  expect(serial()).toBeGreaterThan(before[0] ?? 0);

  const acl = await (await fetch(`${service.url}/feeds/squid`)).text();
  writeFileSync(join(place, 'acl'), acl);
  writeFileSync(join(place, 'squid.conf'), `http_port 127.0.0.1:3128\ninclude ${place}/acl\nhttp_access allow all\n`);
  const parsed = Bun.spawnSync(['squid', '-k', 'parse', '-f', join(place, 'squid.conf')]);
  expect([parsed.stderr.toString().match(/.*(?:FATAL|ERROR|WARNING).*/g), parsed.exitCode]).toEqual([null, 0]);
  copyFileSync(join(place, 'rpz.lurecheck'), join(place, 'last'));

  // Where the service is gone, the zone stays.
  await service.stop();
  expect([pull(), reloads()]).toEqual([1, 2]);
  expect(readFileSync(join(place, 'rpz.lurecheck'), 'utf8')).toBe(readFileSync(join(place, 'last'), 'utf8'));
});

test('the feed for AdGuard contains only rules for hosts, URLs and exceptions', async () => {
  await using again = await startService(dataDir, ['--feeds', '--feed-peers', '127.0.0.1/32']);
  const text = await (await fetch(`${again.url}/feeds/adblock`)).text();
  const rules = text.split('\n').filter((line) => line !== '' && !line.startsWith('!'));
  // Hosts: ||name^; documents by URL; exceptions. AdGuard's syntax of rules, each line one of these.
  expect(
    rules.filter((rule) => !/^(?:@@)?\|\|[\w.:/[\]-]+\^?(?:\$(?:document|important)(?:,important)?)?$/.test(rule)),
  ).toEqual([]);
  expect(rules).toContain('||evil.example^');
  expect(rules).toContain('@@||good.wide.example^');
});
