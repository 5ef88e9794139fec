import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { askMilter, markIn } from '#test/support/ask-milter.ts';
import { lurecheck } from '#test/support/executable.ts';
import { startMilterService } from '#test/support/milter-service.ts';
import { peakRssBytes } from '#test/support/peak-memory.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const mailTo = (url: string, macros = '') => ({ body: `<a href="${url}">pay</a>\r\n`, macros });
const HTML = [['Content-Type', 'text/html']] as const;

test('a Unix socket and an address mark a mail identically, metrics count both, and doctor finds the milter', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'milter.sock');
  const listen = ['--milter-listen', `unix:${path}`, '--milter-listen', '127.0.0.1:0'];
  const { service, port: unix } = await startMilterService(directory.path, [
    ...listen,
    '--admin-listen',
    '127.0.0.1:0',
  ]);
  await using _service = service;
  expect(unix).toBeNaN();
  const [ready] = service.events().filter(({ event }) => event === 'server.listening');
  const urls = ready?.['milter_urls'];
  expect(urls).toEqual([`unix:${path}`, expect.stringMatching(/^inet:127\.0\.0\.1:\d+$/)]);
  const port = Number(
    String(Array.isArray(urls) ? urls[1] : '')
      .split(':')
      .at(-1),
  );

  for (const place of [{ path }, { port }]) {
    const blocked = await askMilter(place, { ...mailTo('http://evil.example/'), headers: HTML });
    expect(markIn(blocked)).toStartWith('block; links=1; blocked=1; probability=');
    expect(blocked).toContain('hX-Lurecheck-Flag|YES|');
    expect(markIn(await askMilter(place, { ...mailTo('http://fine.example/'), headers: HTML }))).toStartWith('allow; ');
    expect(markIn(await askMilter(place, { body: 'Hello\r\n' }))).toStartWith('allow; links=0; probability=0.0');
  }

  const metrics = await (await fetch(`${ready?.['admin_url']}/metrics`)).text();
  for (const [outcome, count] of [
    ['block', 2],
    ['allow', 4],
  ])
    expect(metrics).toContain(`lurecheck_milter_mails_total{outcome="${outcome}"} ${count}\n`);
  expect(metrics).toContain('lurecheck_milter_connections 0\n');

  const doctor = await lurecheck(['doctor', '--data-dir', directory.path, ...listen.slice(0, 2), '--network', 'none']);
  expect(doctor.stdout).toContain(`unix:${path} answers a mail server.`);
  await service.stop();
  expect(existsSync(path)).toBe(false);
});

test('eight mails of 40,000 headers at once take little memory', async () => {
  await using directory = temporaryDirectory();
  const { service, port } = await startMilterService(directory.path);
  await using _service = service;
  const headers = Array.from({ length: 40_000 }, () => ['a', 'b'] as const);
  await askMilter({ port }, { body: 'Hello\r\n' });
  const before = await peakRssBytes(service.pid);
  const answers = await Promise.all(Array.from({ length: 8 }, () => askMilter({ port }, { headers })));
  expect(answers.map(markIn)).toEqual(
    Array.from(answers, () => expect.stringMatching(/^unknown; links=0; .*incomplete/)),
  );
  // 16 MiB; with an object of each header more than 40.
  expect((await peakRssBytes(service.pid)) - before).toBeLessThan(32 * 1024 ** 2);
});

test('with milter_skip_authenticated, mails of authenticated users pass unread', async () => {
  await using directory = temporaryDirectory();
  const { service, port } = await startMilterService(directory.path, ['--milter-skip-authenticated']);
  await using _service = service;
  const mail = { ...mailTo('http://evil.example/', '{auth_authen}\0anna\0'), headers: HTML };
  expect(markIn(await askMilter({ port }, mail))).toBe('unexamined; reason=authenticated');
  expect(markIn(await askMilter({ port }, { ...mail, macros: '{auth_authen}\0\0' }))).toStartWith('block; ');
});
