import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { lurecheck } from '#test/support/executable.ts';
import { reload } from '#test/support/reload.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** A host whose first label is nowhere unless the host leaked. */
const HIDDEN = `zq${crypto.randomUUID().replaceAll('-', '')}.example.com`;

/** The names of what it told, in order. */
const namesOf = (service: Service) => service.events().map(({ event }) => event);

test('the service logs each event on stdout, one per line, with time, level and name first', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path, ['--log-level', 'debug'], {
    LURECHECK_PORT: 'tcp://1.2.3.4:5',
  });
  await service.check('http://public.example/');
  await reload(service);
  await service.stop();
  expect(namesOf(service)).toEqual([
    'settings.foreign_variables',
    'server.listening',
    'log.bounds',
    'check.done',
    'settings.reread',
    'server.stopping',
  ]);
  for (const event of service.events()) {
    expect(Object.keys(event).slice(0, 3)).toEqual(['time', 'level', 'event']);
    expect(new Date(String(event['time'])).toISOString()).toBe(String(event['time']));
  }
  expect(service.output.stderr).toBe('');
});

describe('the event of a check', () => {
  test('contains the result as codes, and neither URL nor host of a private check', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path);
    const answer = await service.result('http://paypal-login.public.example/');
    await service.check('http://paypal-login.hidden.example/', true);
    await service.stop();
    const [shown, hidden] = service.events().filter(({ event }) => event === 'check.done');
    const { analysis_details: details } = answer;
    expect(shown).toEqual({
      time: expect.any(String),
      level: 'info',
      event: 'check.done',
      request_id: answer.request_id,
      visibility: 'public',
      url: 'http://paypal-login.public.example/',
      malicious_probability: answer.malicious_probability,
      decision: answer.decision,
      coverage: 'url_only',
      caution: false,
      top_reason: details.reasons[0]?.code,
      probes: {
        page: 'disabled',
        dns: 'disabled',
        registration: 'disabled',
        certificate: 'disabled',
        lists: 'disabled',
      },
      analysis_time: details.analysis_time,
      model_version: details.model_version,
    });
    expect(hidden).toMatchObject({ url: null, visibility: 'private', model_version: details.model_version });
    expect(Object.keys(hidden ?? {})).toEqual(Object.keys(shown ?? {}));
    expect(JSON.stringify(hidden)).not.toContain('example');
  });

  test('is logged at any log level unless log_checks is false, which is reloadable', async () => {
    await using directory = temporaryDirectory();
    const config = join(directory.path, 'lurecheck.toml');
    const write = (more: string) =>
      Bun.write(config, `listen = "127.0.0.1:0"\nnetwork = "none"\ndata_dir = "${directory.path}"\n${more}\n`);
    await write('log_level = "error"');
    await using service = await startService(directory.path, ['--config', config]);
    await service.check('http://one.example/');
    await write('log_checks = false');
    await reload(service);
    await service.check('http://two.example/');
    await write('log_checks = true');
    await reload(service);
    await service.check('http://three.example/');
    await service.stop();
    const told = service.events().filter(({ event }) => event === 'check.done');
    expect(told.map(({ url }) => url)).toEqual(['http://one.example/', 'http://three.example/']);
  });

  test('is not logged with --quiet, unlike the event that the service is ready', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path, ['--quiet']);
    await service.check('http://one.example/');
    await service.stop();
    expect(namesOf(service)).toEqual(['server.listening']);
  });
});

test('at debug level, each failure is logged with its detail, and of a private check with codes only', async () => {
  await using directory = temporaryDirectory();
  await using dns = await serveDns(({ type }) =>
    type === 'A' ? { answers: [{ name: HIDDEN, type, ttl: 60, data: '10.1.2.3' }] } : {},
  );
  const flags = ['--network', 'full', '--probe-off', 'registration', '--dns-server', `127.0.0.1:${dns.endpoint.port}`];
  await using service = await startService(directory.path, [...flags, '--log-level', 'debug']);
  const failuresOf = ({ request_id }: CheckResult) =>
    service.events().filter((event) => event.event === 'probe.failed' && event['request_id'] === request_id);
  const url = `http://${HIDDEN}/${HIDDEN}?q=${HIDDEN}`;
  const hidden = await service.result(url, true);
  const [secret] = HIDDEN.split('.');
  expect(failuresOf(hidden)).toHaveLength(3);
  for (const failure of failuresOf(hidden)) {
    expect(Object.keys(failure)).toEqual(['time', 'level', 'event', 'request_id', 'probe', 'at', 'code']);
  }
  expect(service.output.stdout + service.output.stderr).not.toContain(secret);
  expect(service.output.stdout).not.toContain('10.1.2.3');
  const shown = await service.result(url);
  const detail = `private: ${HIDDEN} resolves to 10.1.2.3`;
  expect(failuresOf(shown).map(({ time, ...failure }) => failure)).toEqual(
    ['dns', 'certificate', 'page'].map((probe) => ({
      ...{ level: 'debug', event: 'probe.failed', request_id: shown.request_id },
      ...{ probe, at: 'target', code: 'egress_denied_name', detail },
    })),
  );
});

test('a command that prints results on stdout logs to stderr, in the same format', async () => {
  const { stdout, stderr } = await lurecheck(['check', '--log-level', 'debug', '--format', 'tsv', 'http://10.1.2.3/']);
  expect(stdout).toMatch(/^http:\/\/10\.1\.2\.3\/\t\S+\t\w+\n$/);
  const events = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events).toContainEqual(expect.objectContaining({ level: 'debug', event: 'probe.failed', probe: 'page' }));
  for (const event of events) expect(Object.keys(event).slice(0, 3)).toEqual(['time', 'level', 'event']);
});
