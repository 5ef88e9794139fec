import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { freePort } from '#test/support/free-port.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { withPlaces } from '#test/support/with-places.ts';
import { codeIn, WRITTEN } from '../service/manual/written-manual.ts';

/** Name of the rule's file in a release, where the manual expects it. */
const INSTALLED = '/usr/share/doc/lurecheck/rspamd/lurecheck.lua';

/** Returns the snippet of the manual in a language that contains a text. */
function snippet(language: string, holding: string): string {
  const codes = codeIn('drop-in', WRITTEN.get('drop-in') ?? '').filter((code) => code.language === language);
  const found = codes.filter(({ text }) => text.includes(holding));
  expect(found).toHaveLength(1);
  return found[0]?.text ?? '';
}

/** rspamd with the configuration of the manual. Disposing of it stops it. */
async function startRspamd(folder: string, serviceUrl: string, key: string) {
  const [config, port, control] = [join(folder, 'rspamd'), await freePort(), await freePort()];
  for (const name of ['', 'local.d', 'db', 'run', 'log']) mkdirSync(join(config, name), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(config, name), text);
  const rule = join(process.cwd(), '.ci/packaging/rspamd/lurecheck.lua');
  write('rspamd.local.lua', withPlaces(snippet('lua', 'dofile'), { [INSTALLED]: rule }));
  write(
    'rspamd.conf.local',
    withPlaces(snippet('text', 'lurecheck {'), {
      ...{ 'http://127.0.0.1:8080': serviceUrl, 'lck_…': key },
      // A busy machine does not answer about a thousand links within three seconds.
      'timeout = 3s': 'timeout = 60s',
    }),
  );
  write('local.d/worker-normal.inc', `bind_socket = "127.0.0.1:${port}";\ncount = 1;\ntask_timeout = 60s;\n`);
  write('local.d/worker-controller.inc', `bind_socket = "127.0.0.1:${control}";\n`);
  write('local.d/worker-proxy.inc', 'enabled = false;\n');
  write('local.d/options.inc', 'dns { nameserver = ["127.0.0.1:9"]; timeout = 0.1; retransmits = 1; }\n');
  write('local.d/logging.inc', 'type = "console";\n');
  const variables = { LOCAL_CONFDIR: config, DBDIR: `${config}/db`, RUNDIR: `${config}/run`, LOGDIR: `${config}/log` };
  const flags = Object.entries(variables).map(([name, value]) => `--var=${name}=${value}`);
  const log = join(folder, 'rspamd.log');
  const child = Bun.spawn(['rspamd', '-f', '-i', ...flags], { stdout: Bun.file(log), stderr: Bun.file(log) });
  const scan = async (mail: string) => {
    const path = join(folder, 'mail.eml');
    writeFileSync(path, mail);
    const asked = Bun.spawn(['rspamc', '-j', '-h', `127.0.0.1:${port}`, 'symbols', path], {
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const text = await asked.stdout.text();
    await asked.exited;
    const at = text.indexOf('{');
    return at === -1 ? null : JSON.parse(text.slice(at));
  };
  // Its first start compiles for a while.
  await untilSeen(`rspamd ready:\n${log}`, async () => (await scan(mailWith('no link'))) !== null);
  return {
    scan,
    log: () => readFileSync(log, 'utf8'),
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

function mailWith(body: string, name = ''): string {
  const headers = [
    `From: ${name}<it@bank.example>`,
    'To: anna@office.example',
    'Subject: Hello',
    'Message-ID: <1@bank.example>',
  ];
  return `${headers.join('\r\n')}\r\nDate: Tue, 24 Nov 2026 12:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${body}\r\n`;
}

/** In HTML: of texts, rspamd reads links with the public suffixes that it knows. */
const LURES = [
  '<a href="http://user:hunter2@evil.example/kit?token=zq81">one</a>',
  '<a href="http://evil.example/again">two</a>',
  '<a href="https://fine.example/">three</a>',
].join(' ');

test('rspamd marks mails by the rule of the release, and passes them if the service is stopped', async () => {
  await using directory = temporaryDirectory();
  const { path } = directory;
  const dataDir = join(path, 'data');
  const data = ['--data-dir', dataDir];
  await lurecheck(['lists', 'add', 'ours', 'evil.example', '--action', 'block', ...data]);
  await lurecheck(['lists', 'add', 'fine', 'fine.example', '--action', 'allow', ...data]);
  const { stdout: key } = await lurecheck(['key', 'create', 'rspamd', '--scope', 'batch', '--limit', '0', ...data]);
  await using service = await startService(dataDir);
  await using rspamd = await startRspamd(path, service.url, key.trim());

  const marked = await rspamd.scan(mailWith(LURES));
  expect(marked.symbols.LURECHECK_BLOCK).toMatchObject({ score: 8, options: ['evil.example'] });
  expect(marked.symbols.LURECHECK_FAIL).toBeUndefined();
  expect(marked.symbols.LURECHECK_MESSAGE_BLOCK).toMatchObject({
    score: 0,
    options: ['links.listed', 'links.suspicious', 'links.elsewhere'],
  });
  // Private checks, which nobody else sees.
  expect((await service.history()).items).toEqual([]);
  expect(service.events().filter(({ event }) => event === 'check.done')).toHaveLength(3);

  const whole = await rspamd.scan(mailWith('Your account is limited. Confirm your password today.', '"PayPal" '));
  expect(whole.symbols.LURECHECK_MESSAGE_BLOCK ?? whole.symbols.LURECHECK_MESSAGE_WARN).toMatchObject({
    options: expect.arrayContaining(['sender.brand_in_name']),
  });
  expect(whole.symbols.LURECHECK_BLOCK).toBeUndefined();

  const plain = await rspamd.scan(mailWith('Nothing to see.'));
  expect(Object.keys(plain.symbols).filter((name) => name.startsWith('LURECHECK'))).toEqual([]);

  const linkTo = (url: string) => `<a href="${url}">x</a>`;
  const many = (count: number) => {
    const urls = Array.from({ length: count }, (_, at) => `https://site${at}.example/`);
    return mailWith([...urls, 'http://evil.example/'].map(linkTo).join('\n'));
  };
  const behind = await rspamd.scan(many(250));
  expect(behind.symbols.LURECHECK_BLOCK).toMatchObject({ options: ['evil.example'] });
  expect(behind.symbols.LURECHECK_FAIL).toBeUndefined();
  expect((await rspamd.scan(many(1010))).symbols.LURECHECK_FAIL).toMatchObject({
    options: ['unexamined: 11 links left out'],
  });

  await service.stop();
  const late = await rspamd.scan(mailWith(LURES));
  expect(late.symbols.LURECHECK_FAIL).toMatchObject({ score: 0, options: [expect.stringMatching(/^unexamined: /)] });
  expect(late.symbols.LURECHECK_BLOCK).toBeUndefined();
  expect(late.score).toBeCloseTo(marked.score - 8);
  for (const secret of ['zq81', 'hunter2']) expect(JSON.stringify(marked) + rspamd.log()).not.toContain(secret);
});
