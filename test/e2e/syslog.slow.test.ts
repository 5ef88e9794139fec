import { expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { readSyslogMessage } from '#test/parts/monitoring/syslog/read-message.ts';
import { streamServer } from '#test/parts/monitoring/syslog/servers.ts';
import { ANY_PORT, listen } from '#test/support/listen.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

test('a log server receives events, and checks if enabled, without the URLs of private checks', async () => {
  await using directory = temporaryDirectory();
  await using server = await streamServer(null);
  const flags = ['--syslog', `tcp://127.0.0.1:${server.port}`, '--node-name', 'box-7', '--admin-listen', '127.0.0.1:0'];
  const told = () => server.messages.map(readSyslogMessage);
  {
    await using service = await startService(directory.path, [...flags, '--syslog-checks', '--no-log-checks']);
    await service.result('http://seen.example/"]?a=\\b', false);
    const { request_id } = await service.result('http://zx81qqhidden.example/', true);
    await untilSeen('both checks', () => server.messages.filter((one) => one.includes('check.done')).length === 2);
    const [open, hidden] = told().filter(({ header }) => header[5] === 'check.done');
    expect(open?.values).toMatchObject({ visibility: 'public', url: expect.stringContaining('seen.example') });
    expect(hidden?.values).toMatchObject({ visibility: 'private', request_id, decision: 'allow' });
    expect(server.messages.join()).not.toContain('zx81qqhidden');
    expect(service.events().filter(({ event }) => event === 'check.done')).toEqual([]);
    const metrics = await (await fetch(`${service.events()[0]?.['admin_url']}/metrics`)).text();
    expect(metrics).toMatch(/^lurecheck_syslog_up 1$/m);
    expect(metrics).toMatch(/^lurecheck_syslog_dropped_total 0$/m);
    expect(Number(/^lurecheck_syslog_sent_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(1);
  }
  expect(told().find(({ event }) => event === 'server.listening')?.values).toMatchObject({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
  });
  // What waits at the end is sent.
  expect(told().at(-1)?.header.slice(2)).toEqual(['box-7', 'lurecheck', expect.any(String), 'server.stopping']);
  const before = server.messages.length;
  {
    await using service = await startService(directory.path, flags);
    await service.result('http://seen.example/');
  }
  expect(
    told()
      .slice(before)
      .filter(({ header }) => header[5] === 'check.done'),
  ).toEqual([]);
});

test('an unreachable or hanging log server is reported on stdout, and delays no check', async () => {
  await using directory = temporaryDirectory();
  await using hanging = await listen(
    createServer((socket) => socket.pause()),
    ANY_PORT,
  );
  for (const address of [
    'tcp://127.0.0.1:1',
    `tcp://127.0.0.1:${hanging.port}`,
    'udp://127.0.0.1:1',
    'tcp://none.invalid',
    'unix:/nowhere/log',
  ]) {
    await using service = await startService(directory.path, ['--syslog', address, '--syslog-checks']);
    for (let count = 0; count < 50; count++) await service.result('http://a.example/');
    if (!address.endsWith(String(hanging.port))) {
      await untilSeen(`${address} is away`, () => service.events().some(({ event }) => event === 'syslog.away'));
    }
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(await service.stop()).toBe(0);
    expect(service.output.stderr).toBe('');
  }
});

test('no check can reach the log server', async () => {
  await using directory = temporaryDirectory();
  await using server = await streamServer(null);
  const reaching = ['--network', 'full', '--egress-allow', '127.0.0.0/8', '--egress-port', String(server.port)];
  const { port } = server;
  await using service = await startService(directory.path, ['--syslog', `tcp://127.0.0.1:${port}`, ...reaching]);
  const { analysis_details: details } = await service.result(`http://127.0.0.1:${port}/`);
  expect(details.unavailable).toContainEqual({ component: 'page', reason: 'refused_by_policy' });
});
