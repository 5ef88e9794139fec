import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { lurecheck } from '#test/support/executable.ts';
import { freePort } from '#test/support/free-port.ts';
import { dig, startBind, startKnot, startRecursor, statusIn } from '#test/support/name-servers.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { withPlaces } from '#test/support/with-places.ts';
import { codeIn, WRITTEN } from '../service/manual/written-manual.ts';

/** Returns the snippet of the manual in a language that contains a text. */
function snippet(language: string, holding: string): string {
  const codes = codeIn('drop-in', WRITTEN.get('drop-in') ?? '').filter((code) => code.language === language);
  const found = codes.filter(({ text }) => text.includes(holding));
  expect(found).toHaveLength(1);
  return found[0]?.text ?? '';
}

test('BIND, Knot and PowerDNS transfer the signed zone, take each version, and keep the last without the service', async () => {
  await using directory = temporaryDirectory();
  const { path: folder } = directory;
  const dataDir = join(folder, 'data');
  const change = async (entry: string) => {
    const added = await lurecheck(['lists', 'add', 'ours', entry, '--action', 'block', '--data-dir', dataDir]);
    expect(added).toMatchObject({ exitCode: 0 });
  };
  await change('evil.example');

  const ports = await Promise.all(Array.from({ length: 4 }, freePort));
  const [zonePort = 0, bindPort = 0, knotPort = 0, recursorPort = 0] = ports;
  const keyFile = join(folder, 'zone.key');
  const made = Bun.spawnSync([
    'sh',
    '-c',
    withPlaces(snippet('sh', 'lurecheck:$('), { '/etc/lurecheck/zone.key': keyFile }),
  ]);
  expect(made.exitCode).toBe(0);
  const [, secret = ''] = readFileSync(keyFile, 'utf8').trim().split(':');
  const config = join(folder, 'lurecheck.toml');
  const example = withPlaces(snippet('toml', 'zone_listen'), {
    '192.0.2.1:5300': `127.0.0.1:${zonePort}`,
    '"192.0.2.53"': `"127.0.0.1:${bindPort}", "127.0.0.1:${knotPort}"`,
    '/etc/lurecheck/zone.key': keyFile,
  });
  await Bun.write(config, example);
  await using service = await startService(dataDir, ['--config', config, '--admin-listen', '127.0.0.1:0']);

  await using dns = await serveDns(({ type }) =>
    type === 'A' ? { answers: [{ name: '@', type: 'A', ttl: 1, data: '192.0.2.80' }] } : {},
  );
  const upstream = dns.endpoint.port;
  await using bind = startBind(
    { folder: join(folder, 'bind'), port: bindPort },
    {
      upstream,
      options: snippet('bind', 'response-policy'),
      zones: withPlaces(snippet('bind', 'type secondary'), {
        '192.0.2.1 port 5300': `127.0.0.1 port ${zonePort}`,
        '…': secret,
      }),
    },
  );
  await using knot = startKnot(
    { folder: join(folder, 'knot'), port: knotPort },
    withPlaces(snippet('knot', 'master:'), {
      ...{ '192.0.2.1@5300': `127.0.0.1@${zonePort}`, 'address: 192.0.2.1\n': 'address: 127.0.0.1\n', '…': secret },
    }),
  );
  await using recursor = startRecursor(
    { folder: join(folder, 'recursor'), port: recursorPort },
    upstream,
    withPlaces(snippet('lua', 'rpzPrimary'), {
      ...{ '192.0.2.1:5300': `127.0.0.1:${zonePort}`, 'refresh = 60': 'refresh = 1', '…': secret },
    }),
  );

  /** What the three say of a name: blocked by two, and listed by one. */
  const findings = async (name: string) => [
    statusIn(await dig(bind.port, name)),
    statusIn(await dig(recursor.port, name)),
    (await dig(knot.port, `${name}.rpz.lurecheck`, 'CNAME', '+short')).trim(),
  ];
  const blocked = ['NXDOMAIN', 'NXDOMAIN', '.'];
  const open = ['NOERROR', 'NOERROR', ''];
  const isBlocked = async (name: string) => Bun.deepEquals(await findings(name), blocked);
  await untilSeen(`a blocked name: ${folder}`, () => isBlocked('evil.example'));
  expect(await findings('www.evil.example')).toEqual(blocked);
  expect(await findings('late.example')).toEqual(open);

  // A new version is there long before the minute in which BIND and Knot ask by themselves: both were notified.
  await change('late.example');
  await untilSeen('the next version', () => isBlocked('late.example'));
  // A whole zone as the answer to IXFR replaces the one before.
  const removed = await lurecheck(['lists', 'remove', 'ours', 'evil.example', '--data-dir', dataDir]);
  expect(removed).toMatchObject({ exitCode: 0 });
  // A new name each time: PowerDNS answers from its packet cache for a minute.
  let tries = 0;
  const freed = async () => Bun.deepEquals(await findings(`n${tries++}.evil.example`), open);
  await untilSeen('what is no longer blocked', freed);
  expect(await findings('late.example')).toEqual(blocked);
  expect(await bind.log()).toContain('zone rpz.lurecheck/IN: notify from 127.0.0.1#');
  expect(await knot.log()).toContain('[rpz.lurecheck.] notify, incoming');

  // Who has no key, or another one, gets nothing; and no output has the secret.
  const asked = (...words: string[]) => dig(zonePort, 'rpz.lurecheck', ...words);
  const other = `hmac-sha256:lurecheck:${Buffer.alloc(32).toString('base64')}`;
  expect(await asked('AXFR')).toContain('Transfer failed');
  expect(statusIn(await asked('SOA'))).toBe('REFUSED');
  expect(await asked('SOA', '-y', other)).toContain('BADSIG');
  expect(await asked('AXFR', '-y', `hmac-sha256:lurecheck:${secret}`)).toContain('late.example.rpz.lurecheck. 300');
  const doctor = await lurecheck(['doctor', '--config', config, '--data-dir', dataDir, '--network', 'none']);
  expect(doctor.stdout).toContain(`zone: 127.0.0.1:${zonePort} answers a name server.`);
  expect(`${doctor.stdout}${doctor.stderr}`).not.toContain(secret);
  const adminUrl = service.events().find(({ event }) => event === 'server.listening')?.['admin_url'];
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  expect(metrics).toMatch(/lurecheck_zone_queries_total\{outcome="transfer"\} \d/);
  expect(metrics).toMatch(/lurecheck_zone_queries_total\{outcome="bad_signature"\} 1\n/);
  expect(metrics).toMatch(/lurecheck_zone_notifies_total\{outcome="acknowledged"\} \d/);

  // Without the service, all three continue with the version that they have.
  await service.stop();
  expect(await asked('SOA')).toContain('no servers could be reached');
  expect(await findings('late.example')).toEqual(blocked);
  expect(await findings('fine.example')).toEqual(open);
  expect(`${service.output.stdout}${service.output.stderr}${metrics}`).not.toContain(secret);
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
    const path = join(dataDir, name);
    if (statSync(path).isFile()) expect(readFileSync(path, 'latin1')).not.toContain(secret);
  }
});
