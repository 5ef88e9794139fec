import { expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '#src/core/base/clock.ts';
import { createEventLogger, type LogEvent } from '#src/core/base/logger.ts';
import { writeMail } from '#src/parts/monitoring/notifications/mail.ts';
import { blockedCheck, changedAlert, receivedFeedback } from '#src/parts/monitoring/notifications/notification.ts';
import { type NotifierParts, startNotifier } from '#src/parts/monitoring/notifications/notifier.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';
import { receiver } from './receiver.ts';

const KEY = Buffer.alloc(32, 7);
const NOW = Date.parse('2026-11-23T12:00:00Z');
const URL_OF_CHECK = 'http://paypal-login.verify-account.cyou/signin';

function notifierWith(parts: Partial<NotifierParts>) {
  const events: LogEvent[] = [];
  const notifier = startNotifier({
    webhook: null,
    mail: null,
    clock: { now: () => NOW },
    logger: createEventLogger('debug', (event) => events.push(event)),
    pausesMs: { firstPauseMs: 1, maxPauseMs: 2 },
    mailGapMs: 1,
    ...parts,
  });
  return { notifier, events, named: () => events.map(({ event }) => event) };
}

const webhookAt = (url: string) => ({ url, key: KEY, source: 'node-1', authorities: [] });
const blocked = (visibility: 'public' | 'private' = 'public') =>
  sampleRecord({ url: URL_OF_CHECK, visibility, result: { decision: 'block' } });

test('sends a blocked check with a signature as in the Standard Webhooks specification', async () => {
  await using server = await receiver();
  const { notifier } = notifierWith({ webhook: webhookAt(server.url) });
  await using _closing = notifier;
  notifier.blocked(blocked());
  await until(() => server.received.length === 1);
  const [{ method, headers, body } = { method: '', headers: {}, body: '' }] = server.received;
  expect([method, headers['content-type']]).toEqual(['POST', 'application/json']);
  expect(JSON.parse(body)).toMatchObject({
    type: 'check.blocked',
    timestamp: '2026-11-23T12:00:00.000Z',
    source: 'node-1',
    data: { url: URL_OF_CHECK, decision: 'block', visibility: 'public' },
  });
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`);
  expect(headers['webhook-timestamp']).toBe(String(NOW / 1000));
});

test('sends a private check without its URL, host, reasons and probability', async () => {
  await using server = await receiver();
  const { notifier } = notifierWith({ webhook: webhookAt(server.url) });
  await using _closing = notifier;
  const record = blocked('private');
  notifier.blocked(record);
  await until(() => server.received.length === 1);
  const { data } = JSON.parse(server.received[0]?.body ?? '');
  expect(data).toEqual({ request_id: record.result.request_id, visibility: 'private', decision: 'block' });
});

test('retries failed deliveries with the same id and body, in order, and reports them once', async () => {
  await using server = await receiver([500, 503, 429]);
  const { notifier, named } = notifierWith({ webhook: webhookAt(server.url) });
  await using _closing = notifier;
  notifier.blocked(blocked());
  notifier.alert(
    { code: 'model_old', args: {}, remedy: null, fact: 'The model is 400 days old.', notice: '' },
    'raised',
  );
  await until(() => server.received.length === 5);
  const [first, ...rest] = server.received;
  for (const again of rest.slice(0, 3)) {
    expect([again.headers['webhook-id'], again.body]).toEqual([first?.headers['webhook-id'], first?.body ?? '']);
  }
  expect(JSON.parse(server.received[4]?.body ?? '').type).toBe('alert.raised');
  await until(() => notifier.channels.get('webhook')?.waiting === 0);
  expect(named()).toEqual(['notifications.failed', 'notifications.delivered_again']);
  expect(notifier.notices()).toEqual([]);
});

test('does not follow a redirect, and drops a notification that is refused five times', async () => {
  await using server = await receiver([307, 302, 400, 401, 404]);
  const { notifier, named } = notifierWith({ webhook: webhookAt(server.url) });
  await using _closing = notifier;
  notifier.feedback({ url: URL_OF_CHECK, verdict: 'benign' });
  notifier.blocked(blocked());
  await until(() => server.received.length === 6);
  const types = server.received.map(({ body }) => JSON.parse(body).type);
  expect(types).toEqual([...Array(5).fill('feedback.received'), 'check.blocked']);
  await until(() => notifier.channels.get('webhook')?.waiting === 0);
  expect(notifier.channels.get('webhook')).toMatchObject({ isUp: true, sent: 1, dropped: 1 });
  expect(named()).toEqual(['notifications.failed', 'notifications.given_up', 'notifications.delivered_again']);
});

test('a receiver that refuses everything remains reported, although each notification is dropped', async () => {
  await using server = await receiver(Array(10).fill(404));
  const { notifier, named } = notifierWith({ webhook: webhookAt(server.url) });
  await using _closing = notifier;
  notifier.blocked(blocked());
  notifier.blocked(blocked());
  await until(() => notifier.channels.get('webhook')?.dropped === 2);
  expect(notifier.channels.get('webhook')).toMatchObject({ isUp: false, sent: 0, waiting: 0 });
  expect(notifier.notices()).toMatchObject([{ code: 'notifications_failed', args: { channel: 'webhook' } }]);
  expect(named()).not.toContain('notifications.delivered_again');
});

test('drops a notification after a day without the receiver, which is reported as down meanwhile', async () => {
  const gone = await receiver();
  await gone[Symbol.asyncDispose]();
  let nowMs = NOW;
  const { notifier, named } = notifierWith({ webhook: webhookAt(gone.url), clock: { now: () => nowMs } });
  await using _closing = notifier;
  notifier.blocked(blocked());
  await until(() => notifier.notices().length === 1);
  expect(notifier.notices()).toMatchObject([{ code: 'notifications_failed', args: { channel: 'webhook' } }]);
  expect(notifier.channels.get('webhook')).toMatchObject({ isUp: false, waiting: 1, sent: 0 });
  nowMs += DAY_MS;
  await until(() => named().includes('notifications.given_up'));
});

test('a full queue drops and counts new notifications, and reports the count after a delivery', async () => {
  await using server = await receiver([500]);
  const { notifier, events } = notifierWith({ webhook: webhookAt(server.url) });
  await using _closing = notifier;
  for (let n = 0; n < 1100; n++) notifier.feedback({ url: `http://a.example/${n}`, verdict: 'benign' });
  await until(() => notifier.channels.get('webhook')?.waiting === 0);
  expect(notifier.channels.get('webhook')).toMatchObject({ isUp: true, sent: 1000, dropped: 100 });
  expect(events.find(({ event }) => event === 'notifications.delivered_again')).toMatchObject({
    fields: { dropped: 100 },
  });
});

/** A program in the place of sendmail, and what it was given. */
function fakeSendmail(folder: string, script: string) {
  const path = join(folder, 'sendmail');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { to: ['soc@office.example', 'it@office.example'], source: 'node-1', sendmail: () => path };
}

test('sends several notifications in one mail through sendmail, and retries after a failure', async () => {
  await using directory = temporaryDirectory();
  const given = join(directory.path, 'given');
  process.env['LURECHECK_WEBHOOK_SECRET'] = 'whsec_of_the_service';
  const script = `env >${given}.env; [ -e ${given}.ready ] || { touch ${given}.ready; echo queue is full >&2; exit 75; }\necho "$@" >>${given}; cat >>${given}`;
  const { notifier, events } = notifierWith({ mail: fakeSendmail(directory.path, script) });
  await using _closing = notifier;
  notifier.blocked(blocked());
  notifier.blocked(blocked('private'));
  notifier.alert(
    { code: 'backup_old', args: {}, remedy: null, fact: 'The backup is old.\nBcc: x@evil.example', notice: '' },
    'raised',
  );
  await until(() => notifier.channels.get('mail')?.sent === 3);
  const mail = readFileSync(given, 'utf8');
  expect(mail).toStartWith('-i -- soc@office.example it@office.example\nTo: soc@office.example,\n it@office.example\n');
  expect(mail).toContain('Subject: lurecheck on node-1: 2 blocked checks, 1 alert\n');
  expect(mail).toContain('blocked check: hxxp://paypal-login[.]verify-account[.]cyou/signin (');
  expect(mail).toContain('blocked check: a private check (');
  expect(mail.split('\n').filter((line) => line.startsWith('Bcc'))).toEqual([]);
  expect(readFileSync(`${given}.env`, 'utf8')).not.toContain('whsec_of_the_service');
  delete process.env['LURECHECK_WEBHOOK_SECRET'];
  expect(events[0]).toMatchObject({
    event: 'notifications.failed',
    fields: { problem: 'sendmail ended with 75: queue is full' },
  });
});

test('untrusted text cannot add a header or a line to a mail', () => {
  const url = 'http://a.example/\r\n\r\nBcc: x@evil.example\u202e';
  const parts = { to: ['a@b.example'], source: 'node\r\nBcc: y@evil.example', sendmail: () => null };
  const alert = { code: 'list_stale' as const, args: {}, remedy: null, fact: url, notice: url };
  const mail = writeMail(
    [
      blockedCheck(blocked(), NOW),
      receivedFeedback({ url, verdict: 'malicious', requestId: null }, NOW),
      changedAlert(alert, 'raised', NOW),
      changedAlert(alert, 'cleared', NOW),
    ],
    parts,
  );
  const [head = '', text = ''] = mail.split('\n\n');
  expect(mail.split('\n\n')).toHaveLength(2);
  expect(head.split('\n').map((line) => line.split(':')[0])).toEqual([
    'To',
    'Subject',
    'MIME-Version',
    'Content-Type',
    'Content-Transfer-Encoding',
    'Auto-Submitted',
  ]);
  expect(text.trimEnd().split('\n')).toHaveLength(4);
});

test('no line of a mail exceeds the limit of mail servers', () => {
  const url = `http://a.example/${'\u{1f512}e'.repeat(4000)}`;
  const to = Array.from({ length: 100 }, (_, n) => `recipient-${n}@office.example`);
  const mail = writeMail([receivedFeedback({ url, verdict: 'malicious' }, NOW)], {
    ...{ to, source: 'node-1', sendmail: () => null },
  });
  expect(mail).toContain('recipient-99@office.example');
  expect(Math.max(...mail.split('\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(998);
  expect(mail.split('\n').slice(-4).join('')).toContain('… is reported as malicious');
  expect(mail.length).toBeLessThan(6000);
});

test('reports a host without sendmail until sendmail exists', async () => {
  await using directory = temporaryDirectory();
  const { sendmail } = fakeSendmail(directory.path, 'cat >/dev/null');
  let hasOne = false;
  const mail = { to: ['a@b.example'], source: 'node-1', sendmail: () => (hasOne ? sendmail() : null) };
  const { notifier, events } = notifierWith({ mail });
  await using _closing = notifier;
  expect(notifier.notices()).toMatchObject([{ code: 'notifications_failed', args: { channel: 'mail' } }]);
  notifier.blocked(blocked());
  await until(() => events.length === 1);
  expect(events[0]).toMatchObject({ fields: { channel: 'mail', problem: 'this host has no sendmail' } });
  hasOne = true;
  await until(() => notifier.channels.get('mail')?.sent === 1);
  expect(notifier.notices()).toEqual([]);
});

test('without a channel, nothing is queued and nothing is reported', async () => {
  const { notifier, events } = notifierWith({});
  await using _closing = notifier;
  notifier.blocked(blocked());
  expect([notifier.channels.size, notifier.notices(), events]).toEqual([0, [], []]);
});
