import { expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createCertificateAuthority } from '#test/support/certificate-authority.ts';
import { freePort } from '#test/support/free-port.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

/** What rsyslog understood of a message. */
interface Understood {
  readonly host: string;
  readonly app: string;
  readonly id: string;
  readonly severity: string;
  readonly text: string;
}

type Way = 'udp' | 'tcp' | 'tls' | 'unix';

/** How rsyslog takes messages in each way. */
function inputOf(way: Way, port: number, folder: string): string {
  const at = `address="127.0.0.1" port="${port}"`;
  switch (way) {
    case 'udp':
      return `module(load="imudp")\ninput(type="imudp" ${at})`;
    case 'tcp':
      return `module(load="imptcp")\ninput(type="imptcp" ${at})`;
    case 'unix':
      return `module(load="imuxsock" sysSock.use="off")\ninput(type="imuxsock" socket="${folder}/log")`;
    case 'tls':
      return [
        `global(defaultNetstreamDriverCAFile="${folder}/ca.pem" defaultNetstreamDriverCertFile="${folder}/cert.pem" defaultNetstreamDriverKeyFile="${folder}/key.pem")`,
        'module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")',
        `input(type="imtcp" ${at})`,
      ].join('\n');
  }
}

const FIELDS = {
  host: 'hostname',
  app: 'app-name',
  id: 'msgid',
  severity: 'syslogseverity-text',
  text: 'msg',
};

/** Debian's rsyslog with a configuration of its own, at a port of this machine, writing what it understood to a file. */
async function startRsyslog(folder: string, way: Way, port: number) {
  const file = `${folder}/understood.ndjson`;
  const template = Object.entries(FIELDS).map(
    ([name, property], at) =>
      `constant(value="${at === 0 ? '{' : ','}\\"${name}\\":\\"") property(name="${property}" format="json") constant(value="\\"")`,
  );
  writeFileSync(
    `${folder}/rsyslog.conf`,
    [
      `global(workDirectory="${folder}")`,
      inputOf(way, port, folder),
      `template(name="told" type="list") { ${template.join(' ')} constant(value="}\\n") }`,
      `action(type="omfile" file="${file}" template="told" asyncWriting="off" flushOnTXEnd="on")`,
      '',
    ].join('\n'),
  );
  const log = `${folder}/rsyslog.log`;
  const command = ['rsyslogd', '-n', '-f', `${folder}/rsyslog.conf`, '-i', `${folder}/rsyslog.pid`];
  const child = Bun.spawn(command, { stdout: Bun.file(log), stderr: Bun.file(log) });
  await untilSeen('rsyslog has started', () => {
    if (child.exitCode !== null) throw new Error(`rsyslog ended: ${readFileSync(log, 'utf8')}`);
    return existsSync(`${folder}/rsyslog.pid`);
  });
  return {
    understood(): Understood[] {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return text
        .slice(0, text.lastIndexOf('\n') + 1)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

const checksIn = (understood: readonly Understood[]) => understood.filter(({ id }) => id === 'check.done');

async function checkBoth(service: Service): Promise<void> {
  await service.result('http://seen.example/a"]b\\c?q=ü');
  await service.result('http://zx81qqhidden.example/', true);
}

test.each(['udp', 'tcp', 'tls'] as const)('rsyslog parses the messages that it receives over %s', async (way) => {
  await using directory = temporaryDirectory();
  const folder = directory.path;
  const authority = createCertificateAuthority(Date.now());
  const certificate = authority.issue({ names: ['localhost'] });
  for (const [name, pem] of [
    ['ca', authority.pem],
    ['cert', certificate.pem],
    ['key', certificate.keyPem],
  ])
    writeFileSync(`${folder}/${name}.pem`, pem ?? '');
  const port = await freePort();
  await using rsyslog = await startRsyslog(folder, way, port);
  const address = `${way}://localhost:${port}${way === 'tls' ? `?ca=${folder}/ca.pem` : ''}`;
  const flags = ['--syslog', address, '--syslog-checks', '--node-name', 'box-7'];
  {
    await using service = await startService(`${folder}/data`, flags);
    await checkBoth(service);
    await untilSeen('both checks', () => checksIn(rsyslog.understood()).length === 2);
  }
  await untilSeen('the end', () => rsyslog.understood().some(({ id }) => id === 'server.stopping'));
  const [open, hidden] = checksIn(rsyslog.understood());
  expect(open).toMatchObject({ host: 'box-7', app: 'lurecheck', severity: 'info' });
  expect(open?.text).toContain('check.done decision="allow" url="http://seen.example/a%22]b/c?q=%C3%BC"');
  expect(hidden?.text).toContain('visibility="private"');
  expect(JSON.stringify(rsyslog.understood())).not.toContain('zx81qqhidden');
});

test('while rsyslog is unavailable checks are answered, and it receives their messages once it runs again', async () => {
  await using directory = temporaryDirectory();
  const folder = directory.path;
  const port = await freePort();
  await using service = await startService(`${folder}/data`, [
    '--syslog',
    `tcp://127.0.0.1:${port}`,
    '--syslog-checks',
  ]);
  for (let count = 0; count < 20; count++) await service.result(`http://a${count}.example/`);
  await untilSeen('it is away', () => service.events().some(({ event }) => event === 'syslog.away'));
  await using rsyslog = await startRsyslog(folder, 'tcp', port);
  await untilSeen('all checks', () => checksIn(rsyslog.understood()).length === 20);
  const [back] = rsyslog.understood().filter(({ id }) => id === 'syslog.back');
  expect(back?.text).toContain('dropped="0"');
});

test('rsyslog parses the messages at its Unix socket, and receives those of its downtime once it runs again', async () => {
  await using directory = temporaryDirectory();
  const folder = directory.path;
  const flags = ['--syslog', `unix:${folder}/log`, '--syslog-checks'];
  await using service = await startService(`${folder}/data`, flags);
  let checks = 0;
  const check = async (count: number) => {
    for (let left = count; left > 0; left--) await service.result(`http://a${checks++}.example/`);
  };
  const isTold = async (told: () => Understood[]) => {
    const numbers = () =>
      told().flatMap(({ text }) => /check\.done decision="allow" url="http:\/\/a(\d+)\./.exec(text)?.[1] ?? []);
    await untilSeen('all checks', () => new Set(numbers()).size === checks);
  };
  const isAway = (times: number) =>
    untilSeen('it is away', () => service.events().filter(({ event }) => event === 'syslog.away').length === times);
  await check(20);
  await isAway(1);
  {
    await using rsyslog = await startRsyslog(folder, 'unix', 0);
    await isTold(rsyslog.understood);
    const first = rsyslog.understood().find(({ text }) => text.includes('check.done'));
    expect(first).toMatchObject({ app: 'lurecheck', severity: 'info' });
    expect(first?.text).toContain('check.done decision="allow" url="http://a0.example/" ');
    // More than a queue of the system holds.
    await check(500);
    await isTold(rsyslog.understood);
  }
  await check(20);
  await isAway(2);
  await using rsyslog = await startRsyslog(folder, 'unix', 0);
  await isTold(rsyslog.understood);
});
