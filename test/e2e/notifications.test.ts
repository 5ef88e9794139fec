import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSendmail } from '#src/parts/monitoring/notifications/mail.ts';
import { receiver } from '#test/parts/monitoring/notifications/receiver.ts';
import { lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';

const LURE = 'http://paypal-login.verify-account.cyou/signin';
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

test('a service posts blocked checks and feedback, and reports a receiver that fails', async () => {
  await using directory = temporaryDirectory();
  await using server = await receiver([500]);
  const [file, dataDir] = [join(directory.path, 'secret'), join(directory.path, 'data')];
  writeFileSync(file, `${SECRET}\n`, { mode: 0o600 });
  await using service = await startService(dataDir, ['--webhook-url', server.url, '--webhook-secret', `file:${file}`]);
  expect((await service.result('http://example.com/')).decision).toBe('allow');
  const { request_id } = await service.result(LURE);
  await untilSeen('the second attempt', () => server.received.length >= 2);
  const bodies = () => server.received.map(({ body }) => JSON.parse(body));
  expect(bodies()[0].data.request_id).toBe(request_id);
  expect(bodies()[1]).toEqual(bodies()[0]);
  await fetch(`${service.url}/api/feedback`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ request_id, verdict: 'benign' }),
  });
  await untilSeen('the feedback', () => bodies().some(({ type }) => type === 'feedback.received'));
  expect(bodies().at(-1).data).toEqual({ request_id, url: LURE, verdict: 'benign' });
  const failed = service.events().filter(({ event }) => event === 'notifications.failed');
  expect(failed).toMatchObject([{ channel: 'webhook', problem: 'the receiver answered with status 500' }]);
  const doctor = await lurecheck([
    'doctor',
    '--data-dir',
    dataDir,
    '--network',
    'none',
    '--webhook-url',
    server.url,
    '--webhook-secret',
    SECRET,
  ]);
  expect(doctor.stdout).toContain('ok      notifications: The receiver of the webhook answers.');
  const shown = await lurecheck(['config', 'show', '--webhook-url', server.url, '--webhook-secret', SECRET]);
  expect(shown.stdout).not.toContain(SECRET);
});

test('doctor reports a receiver that does not answer, and a host without a mail server', async () => {
  await using directory = temporaryDirectory();
  const gone = await receiver();
  await gone[Symbol.asyncDispose]();
  const flags = ['--webhook-url', gone.url, '--webhook-secret', SECRET, '--mail-to', 'soc@office.example'];
  const { stdout, exitCode } = await lurecheck(['doctor', '--data-dir', directory.path, '--network', 'none', ...flags]);
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining('fault   notifications: Webhook: cannot reach the')]);
  const mail = findSendmail();
  expect(stdout).toContain(mail === null ? 'This host has no sendmail.' : `Mails are passed to ${mail}.`);
});

test('a service starts if its host has no mail server, and reports that', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path, ['--mail-to', 'soc@office.example']);
  const ready = await fetch(`${service.url}/readyz?verbose`);
  const notices = findSendmail() === null ? ['Notifications by mail are not delivered.'] : [];
  expect([ready.status, await ready.json()]).toEqual([200, expect.objectContaining({ notices })]);
});

test.each([
  [['--webhook-url', 'http://hook.example/'], 'webhook_url is set, but webhook_secret is not'],
  [['--webhook-secret', SECRET], 'webhook_secret is set, but webhook_url is not'],
  [['--webhook-url', 'ftp://hook.example/', '--webhook-secret', SECRET], 'an http or https URL without a password'],
  [['--webhook-url', 'http://a@hook.example/', '--webhook-secret', SECRET], 'an http or https URL without a password'],
  [
    ['--webhook-url', 'http://hook.example/', '--webhook-secret', 'whsec_c2hvcnQ='],
    'whsec_ and 24 to 64 bytes in base64',
  ],
  [['--mail-to', '-oQ/tmp'], 'an e-mail address'],
  [['--mail-to', 'a@b.example\nBcc: c@d.example'], 'an e-mail address'],
])('%j is refused: %s', async (flags, problem) => {
  await using directory = temporaryDirectory();
  const { stderr, exitCode } = await lurecheck(['serve', '--data-dir', directory.path, ...flags]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(problem)]);
});
