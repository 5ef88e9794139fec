import { expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { lurecheck } from '#test/support/executable.ts';
import { reload } from '#test/support/reload.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { serveWeb, type WebAnswer } from '#test/support/web-server.ts';

const hosts = (count: number) => Array.from({ length: count }, (_, n) => `bad${n}.example\n`).join('');

const decisionOf = async (service: Service, host: string) => (await service.result(`http://${host}/`)).decision;

async function readiness({ url }: Service) {
  const response = await fetch(`${url}/readyz?verbose`);
  const { notices, parts } = (await response.json()) as {
    notices: string[];
    parts: { name: string; state: string }[];
  };
  return { status: response.status, notices, state: parts.find(({ name }) => name === 'list_sources')?.state };
}

test('a source file is imported when it changes, unless it is invalid or much smaller than before', async () => {
  await using directory = temporaryDirectory();
  const [file, dataDir] = [join(directory.path, 'feed.txt'), join(directory.path, 'data')];
  writeFileSync(file, `${hosts(200)}google.com\nnot an entry\n`);
  const args = ['--list-sources', `feed=${file}`];
  {
    await using service = await startService(dataDir, args);
    await untilSeen('the list', async () => (await decisionOf(service, 'bad7.example')) === 'block');
    // What covers the site of many is kept and not applied.
    expect(await decisionOf(service, 'google.com')).toBe('allow');
    expect(service.events().filter(({ event }) => event === 'lists.source_imported')).toMatchObject([
      { list: 'feed', entries: 200, quarantined: 1, left_out: 1 },
    ]);
    expect(await readiness(service)).toEqual({ status: 200, notices: [], state: 'ok' });
    const mistakes = [
      ['', 'has no entry'],
      ['# nothing\n', 'has no entry'],
      ['<!doctype html>\n<p>Sign in</p>\nbad1.example\n', 'is an HTML page'],
      [`${hosts(20)}not an entry\n`, 'has 1 invalid lines; line 21: '],
      [hosts(5), 'has 5 entries and had 200'],
      [null, 'does not exist'],
    ] as const;
    for (const [text, problem] of mistakes) {
      if (text === null) rmSync(file);
      else writeFileSync(file, text);
      await reload(service);
      const failed = service.events().filter(({ event }) => event === 'lists.source_failed');
      expect(failed.at(-1)).toMatchObject({ list: 'feed', problem: expect.stringContaining(problem) });
      expect(await decisionOf(service, 'bad7.example')).toBe('block');
    }
    const notices = [expect.stringMatching(/^The source of the list feed cannot be used; it was last renewed at 20/)];
    expect(await readiness(service)).toEqual({ status: 200, notices, state: 'degraded' });
  }
  // What was wrong is known after a restart, and what was imported stays.
  await using again = await startService(dataDir, args);
  expect(await decisionOf(again, 'bad7.example')).toBe('block');
  expect((await readiness(again)).state).toBe('degraded');
  writeFileSync(file, `${hosts(200)}more.example\n`);
  await reload(again);
  await untilSeen('the next version', async () => (await decisionOf(again, 'more.example')) === 'block');
  expect((await readiness(again)).notices).toEqual([]);
  const of = ['--data-dir', dataDir];
  const audit = (await lurecheck(['audit', 'show', '--format', 'ndjson', ...of])).stdout.trim().split('\n');
  expect(audit.map((line) => JSON.parse(line))).toMatchObject([
    { by: { service: 'list_sources' }, action: 'lists.import', subject: 'feed', detail: { entries: 200 } },
    { by: { service: 'list_sources' }, action: 'lists.import', subject: 'feed', detail: { entries: 201 } },
  ]);
  expect((await lurecheck(['lists', 'add', 'feed', 'x.example', ...of])).stderr).toContain('belongs to source');
});

test('a source does not overwrite a list of the operator, and rollback does not change lists of sources', async () => {
  await using directory = temporaryDirectory();
  const [file, dataDir] = [join(directory.path, 'feed.txt'), join(directory.path, 'data')];
  writeFileSync(file, 'feed.example\n');
  const of = ['--data-dir', dataDir];
  await lurecheck(['lists', 'add', 'ours', 'one.example', ...of]);
  await lurecheck(['lists', 'add', 'ours', 'two.example', ...of]);
  const args = ['--list-sources', `ours=${file}`, '--list-sources', `feed=${file}`];
  await using service = await startService(dataDir, args);
  await untilSeen('the list', async () => (await decisionOf(service, 'feed.example')) === 'block');
  const [failed] = service.events().filter(({ event }) => event === 'lists.source_failed');
  expect(failed).toMatchObject({ list: 'ours', problem: expect.stringContaining('the operator’s own') });
  expect((await lurecheck(['lists', 'rollback', ...of])).exitCode).toBe(0);
  expect((await lurecheck(['lists', 'show', 'ours', ...of])).stdout).not.toContain('two.example');
  expect((await lurecheck(['lists', 'show', 'feed', ...of])).stdout).toContain('feed.example');
  expect((await lurecheck(['lists', 'remove', 'feed', ...of])).exitCode).toBe(0);
});

test('a list of a source allows if the setting specifies allow, and blocks again without it', async () => {
  await using directory = temporaryDirectory();
  const [file, dataDir] = [join(directory.path, 'partners.txt'), join(directory.path, 'data')];
  const host = 'paypal-login.verify-account.cyou';
  writeFileSync(file, `${host}\n`);
  {
    await using service = await startService(dataDir, ['--list-sources', `partners=allow:${file}`]);
    await untilSeen('the list', () => service.events().some(({ event }) => event === 'lists.reread'));
    expect(await decisionOf(service, host)).toBe('allow');
  }
  await using service = await startService(dataDir, ['--list-sources', `partners=${file}`]);
  await untilSeen('the other list', () => service.events().some(({ event }) => event === 'lists.reread'));
  expect(await decisionOf(service, host)).toBe('block');
  const [imported] = service.events().filter(({ event }) => event === 'lists.source_imported');
  expect(imported).toMatchObject({ list: 'partners', entries: 1, checks_changed: 1 });
});

test('a list of a source that would change many of the latest checks is refused with their number', async () => {
  await using directory = temporaryDirectory();
  const [file, dataDir] = [join(directory.path, 'feed.txt'), join(directory.path, 'data')];
  const args = ['--list-sources', `feed=${file}`];
  writeFileSync(file, 'other.example\n');
  await using service = await startService(dataDir, args);
  const names = Array.from({ length: 120 }, (_, n) => `bad${n}.example`);
  for (const [n, name] of names.entries()) await service.result(`http://${name}/`, n % 2 === 0);
  const last = (event: string) => service.events().findLast((one) => one.event === event);
  writeFileSync(file, `other.example\n${hosts(20)}`);
  await reload(service);
  const problem = 'it would block 20 of the latest 120 checks, which had the decision allow; nothing was changed';
  expect(last('lists.source_failed')).toMatchObject({ list: 'feed', problem });
  expect(await decisionOf(service, 'bad7.example')).toBe('allow');
  expect((await readiness(service)).state).toBe('degraded');
  writeFileSync(file, `other.example\n${hosts(9)}`);
  await reload(service);
  expect(last('lists.source_imported')).toMatchObject({ entries: 10, checks_changed: 10 });
  await untilSeen('the list', async () => (await decisionOf(service, 'bad7.example')) === 'block');
});

test('a source URL is fetched over trusted TLS under the egress policy, and again only if it has changed', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const authority = createCertificateAuthority(Date.now());
  const ca = join(directory.path, 'ca.pem');
  writeFileSync(ca, authority.pem);
  const leaf = authority.issue({ subject: 'lists.example', names: ['127.0.0.1'] });
  let version: WebAnswer = {
    headers: { etag: '"1"', 'last-modified': 'Mon, 02 Mar 2026 00:00:00 GMT' },
    body: hosts(3),
  };
  const asked: (string | undefined)[][] = [];
  await using server = await serveWeb(
    (path, { 'if-none-match': tag, 'if-modified-since': since }) => {
      asked.push([path, tag, since]);
      if (path.startsWith('/old')) return { status: 302, headers: { location: '/feed?key=s3cr3t' } };
      return tag !== undefined && tag === version.headers?.['etag'] ? { status: 304 } : version;
    },
    { leaf },
  );
  const source = ['--list-sources', `feed=https://127.0.0.1:${server.port}/old?key=s3cr3t`];
  const open = ['--network', 'full', '--egress-allow', '127.0.0.0/8', '--egress-port', String(server.port)];
  const offline = ['--dns-server', '127.0.0.1:1'];
  const check = (service: Service, host: string) =>
    fetch(`${service.url}/api/check-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `http://${host}/`, visit: false }),
    }).then(async (response) => ((await response.json()) as { decision: string }).decision);
  const failures = (service: Service) => service.events().filter(({ event }) => event === 'lists.source_failed');
  for (const [closed, problem] of [
    [['--network', 'none'], 'network'],
    [[...open, ...offline, '--egress-deny', '127.0.0.0/8', '--egress-ca', ca], 'policy'],
    [[...open, ...offline], 'tls'],
  ] as const) {
    await using service = await startService(join(directory.path, problem), [...source, ...closed]);
    await untilSeen('the refusal', () => failures(service).length > 0);
    expect([problem, asked.length, (await readiness(service)).state]).toEqual([problem, 0, 'degraded']);
  }
  const args = [...source, ...open, ...offline, '--egress-ca', ca];
  {
    await using service = await startService(dataDir, args);
    await untilSeen('the list', async () => (await check(service, 'bad1.example')) === 'block');
    expect(asked).toEqual([
      ['/old?key=s3cr3t', undefined, undefined],
      ['/feed?key=s3cr3t', undefined, undefined],
    ]);
    expect(service.output.stdout).not.toContain('s3cr3t');
  }
  // Within the hour it is not asked again, also after a restart; at SIGHUP it is.
  await using service = await startService(dataDir, args);
  asked.length = 0;
  await reload(service);
  expect(asked.at(-1)).toEqual(['/feed?key=s3cr3t', '"1"', 'Mon, 02 Mar 2026 00:00:00 GMT']);
  expect(service.events().filter(({ event }) => event.startsWith('lists.source'))).toEqual([]);
  for (const bad of [{ status: 500 }, { body: '' }, { status: 302, headers: { location: 'http://127.0.0.1/' } }]) {
    version = bad;
    const before = failures(service).length;
    await reload(service);
    expect(failures(service).length).toBe(before + 1);
    expect(await check(service, 'bad1.example')).toBe('block');
  }
  version = { headers: { etag: '"2"' }, body: 'next.example\n' };
  await reload(service);
  await untilSeen('the next version', async () => (await check(service, 'next.example')) === 'block');
  expect((await readiness(service)).notices).toEqual([]);
  const shown = await lurecheck(['config', 'show', ...source]);
  expect(shown.stdout).not.toContain('s3cr3t');
});
