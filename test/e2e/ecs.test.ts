import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { readSyslogMessage } from '#test/parts/monitoring/syslog/read-message.ts';
import { streamServer } from '#test/parts/monitoring/syslog/servers.ts';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

test('events use the field names of the Elastic Common Schema, on stdout and at a log server', async () => {
  await using directory = temporaryDirectory();
  const { path } = directory;
  await lurecheck(['lists', 'add', 'ours', 'listed.example', '--action', 'block', '--data-dir', path]);
  await using server = await streamServer(null);
  const flags = ['--log-format', 'ecs', '--syslog', `tcp://127.0.0.1:${server.port}`, '--syslog-checks'];
  await using service = await startService(path, flags);
  const { request_id } = await service.result('http://listed.example/kit');
  const hidden = await service.result('http://zx81qqhidden.example/', true);
  await untilSeen('both checks', () => server.messages.filter((one) => one.includes('check.done')).length === 2);
  await service.stop();

  const events = service.events();
  const check = events.find((one) => one['event.id'] === request_id);
  expect(check).toMatchObject({
    'event.action': 'check.done',
    'event.kind': 'event',
    'url.full': 'http://listed.example/kit',
    'url.domain': 'listed.example',
    'rule.name': 'lists.kept_blocked',
    'threat.indicator.provider': 'ours',
    'labels.lurecheck_decision': 'block',
    'log.level': 'info',
  });
  expect(events.find((one) => one['event.id'] === hidden.request_id)).not.toHaveProperty(['url.full']);
  expect(service.output.stdout).not.toContain('zx81qqhidden');
  // The ready line has what whoever started the service waits for.
  expect(events[0]).toMatchObject({ event: 'server.listening', url: service.url, 'event.action': 'server.listening' });
  expect(events.every((one) => typeof one['@timestamp'] === 'string' && one['ecs.version'] === '8.11.0')).toBe(true);

  const sent = server.messages.map(readSyslogMessage).filter(({ event }) => event === 'check.done');
  expect(sent[0]?.values).toMatchObject({ 'url.full': 'http://listed.example/kit', 'event.id': request_id });
});

test('other commands accept log_format = ecs, and events keep their fields without it', async () => {
  await using directory = temporaryDirectory();
  const config = join(directory.path, 'lurecheck.toml');
  await Bun.write(config, 'log_format = "ecs"\nlog_level = "debug"\n');
  const flags = ['--config', config, '--network', 'none', '--data-dir', directory.path];
  const { exitCode } = await lurecheck(['check', ...flags, 'http://a.example/']);
  expect(exitCode).toBe(0);
  await using service = await startService(join(directory.path, 'data'));
  await service.stop();
  expect(Object.keys(service.events()[0] ?? {}).slice(0, 4)).toEqual(['time', 'level', 'event', 'url']);
});
