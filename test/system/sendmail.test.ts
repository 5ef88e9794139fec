import { expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#test/support/free-port.ts';
import { headersOf, mailOf, startMilterService } from '#test/support/milter-service.ts';
import { sendMail } from '#test/support/smtp.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { withPlaces } from '#test/support/with-places.ts';
import { codeIn, WRITTEN } from '../service/manual/written-manual.ts';

/** Sendmail conflicts with Postfix: `.ci/run` unpacks it aside. */
const ROOT = '/opt/sendmail/usr';

/** Sendmail with the example of the manual; it queues what it accepts. Disposing of it stops it. */
async function startSendmail(milterPort: number) {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(temporaryDirectory());
  chmodSync(folder, 0o755);
  const [port, queue] = [await freePort(), join(folder, 'queue')];
  mkdirSync(queue, { mode: 0o700 });
  const [filter] = codeIn('drop-in', WRITTEN.get('drop-in') ?? '').filter(({ language }) => language === 'mc');
  const settings = {
    confDOMAIN_NAME: 'mx.office.example',
    QUEUE_DIR: queue,
    confPID_FILE: join(folder, 'pid'),
    STATUS_FILE: join(folder, 'status'),
    ALIAS_FILE: '',
    confDELIVERY_MODE: 'queueonly',
    confDONT_BLAME_SENDMAIL: 'TrustStickyBit',
  };
  const lines = [
    `include(\`${ROOT}/share/sendmail/cf/m4/cf.m4')dnl`,
    "OSTYPE(`linux')dnl",
    ...Object.entries(settings).map(([name, value]) => `define(\`${name}', \`${value}')dnl`),
    ...['accept_unresolvable_domains', 'nocanonify', 'promiscuous_relay'].map((name) => `FEATURE(\`${name}')dnl`),
    `DAEMON_OPTIONS(\`Port=${port}, Addr=127.0.0.1, Name=MTA')dnl`,
    withPlaces(filter?.text ?? '', { '8891@': `${milterPort}@` }).trim(),
    "MAILER(`smtp')dnl",
  ];
  writeFileSync(join(folder, 'sendmail.mc'), `${lines.join('\n')}\n`);
  const made = Bun.spawnSync(['m4', `-D_CF_DIR_=${ROOT}/share/sendmail/cf/`, join(folder, 'sendmail.mc')]);
  writeFileSync(join(folder, 'sendmail.cf'), made.stdout);
  // It waits for a minute on a host whose name has no domain.
  const start = `hostname mx.office.example; exec ${ROOT}/libexec/sendmail/sendmail -bD -C${folder}/sendmail.cf`;
  const output = Bun.file(join(folder, 'output'));
  const child = Bun.spawn(['unshare', '--uts', 'sh', '-c', start], { stdout: output, stderr: output });
  stack.defer(async () => {
    child.kill();
    await child.exited;
  });
  await untilSeen('Sendmail ready', async () => {
    if (child.exitCode !== null) throw new Error(`Sendmail ended: ${await output.text()}`);
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } }).catch(() => null);
    socket?.end();
    return socket !== null;
  });
  const closing = stack.move();
  return {
    port,
    /** Heads of the queued mails; `hf` are quarantined. */
    queued: (kind: 'qf' | 'hf') =>
      readdirSync(queue)
        .filter((name) => name.startsWith(kind))
        .map((name) => readFileSync(join(queue, name), 'latin1').replace(/^H\?[^?]*\?/gm, '')),
    bodies: () =>
      readdirSync(queue)
        .filter((name) => name.startsWith('df'))
        .map((name) => readFileSync(join(queue, name), 'latin1')),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

const EVIL = '<a href="http://evil.example/kit">bank.example</a>';

test('marks a mail in Sendmail, removes forged headers, keeps the body, and passes mails without the service', async () => {
  await using directory = temporaryDirectory();
  const { service, port } = await startMilterService(join(directory.path, 'data'));
  await using sendmail = await startSendmail(port);
  const forged = ['X-Lurecheck: allow', 'x-LURECHECK: allow; links=0', 'X-Other: stays'];
  expect(await sendMail(sendmail.port, mailOf(`${EVIL}  \r\n\r\nend\t\r\n`, forged))).toStartWith('250');
  const [head = ''] = sendmail.queued('qf');
  expect(headersOf(head, 'X-Lurecheck')).toEqual([expect.stringMatching(/^block; links=1; blocked=1; /)]);
  expect(headersOf(head, 'X-Lurecheck-Flag')).toEqual(['YES']);
  expect(headersOf(head, 'X-Other')).toEqual(['stays']);
  expect(sendmail.bodies()).toEqual([`${EVIL}  \n\nend\t\n\n`]);
  await service.stop();
  expect(await sendMail(sendmail.port, mailOf(EVIL))).toStartWith('250');
  expect(sendmail.queued('qf')).toHaveLength(2);
});

test.each(['quarantine', 'reject'] as const)('Sendmail %ss a mail with a blocked link', async (action) => {
  await using directory = temporaryDirectory();
  const { service, port } = await startMilterService(join(directory.path, 'data'), ['--milter-on-block', action]);
  await using _ = service;
  await using sendmail = await startSendmail(port);
  const reply = await sendMail(sendmail.port, mailOf(EVIL));
  expect(reply).toStartWith(action === 'reject' ? '550 5.7.1 This message is blocked as phishing' : '250');
  expect(sendmail.queued('hf')).toHaveLength(action === 'quarantine' ? 1 : 0);
});
