import { expect, test } from 'bun:test';
import { attachment, htmlMail, LURE_URL } from '#test/engine/message/mails.ts';
import { lurecheck } from '#test/support/executable.ts';

const MESSAGE = ['check', '--network', 'none', '--message', '-'];

/** A phishing mail with a receiving server's headers above it, and a forged statement among its own. */
function phishingMail(markup: string): string {
  return [
    'Return-Path: <bounce@mailer.example>',
    'Authentication-Results: mx.corp.example; spf=pass smtp.mailfrom=mailer.example; dmarc=fail header.from=paypal.example',
    'Received: from mailer.example by mx.corp.example',
    'Authentication-Results: mx.corp.example; dkim=pass header.d=paypal.com; dmarc=pass header.from=paypal.com',
    'Reply-To: help@collect.example',
    'Date: Mon, 23 Nov 2026 03:00:00 +0100',
    htmlMail(markup, 'x', [attachment('application/zip', 'invoice\u001b[31m.zip', new Uint8Array(70))]),
  ].join('\r\n');
}

const LURE = `<p>Dear customer. Please <a href="${LURE_URL}">https://www.paypal.com/signin</a> until Friday.</p>`;
const decoys = (count: number) =>
  Array.from({ length: count }, (_, at) => `<a href="https://www.wikipedia.org/wiki/${at}">more</a>`).join(' ');

test('prints a mail as a whole: verdict, sender, authentication, and links by site, the worst first', async () => {
  const stdin = phishingMail(`${decoys(12)}${LURE}`);
  const { stdout, exitCode } = await lurecheck(MESSAGE, { stdin });
  expect(exitCode).toBe(0);
  const lines = stdout.split('\n');
  const fieldOf = (name: string) => lines.find((line) => line.startsWith(`${name} `))?.slice(17);
  expect(lines[0]).toMatch(/^verdict {10}block, probability (?:0\.9\d{3}|1\.0000)$/);
  expect(fieldOf('because')).toMatch(/\.$/);
  expect(fieldOf('worst link')).toBe(`block, ${LURE_URL}`);
  expect(fieldOf('subject')).toBe('Your account');
  expect(fieldOf('from')).toBe('PayPal <service@paypal.example>');
  expect(fieldOf('reply-to')).toBe('help@collect.example (a different site than the sender)');
  expect(fieldOf('return-path')).toBe('bounce@mailer.example (a different site than the sender)');
  expect(fieldOf('authentication')).toBe(
    'spf=pass (mailer.example), dmarc=fail (paypal.example), according to mx.corp.example in the message; may be forged',
  );
  expect(fieldOf('attachments')).toContain('.zip (application/zip, 70 bytes)');
  expect(stdout).not.toContain('\u001b');
  const sites = lines.filter((_, at) => lines[at - 1] === '');
  expect(sites[0]).toBe('verify-account.cyou');
  expect(sites).toContain('wikipedia.org');
  expect(stdout).toContain('the domain of the sender');
  expect(stdout).toContain('in: Please [https://www.paypal.com/signin] until Friday.');
  expect(stdout).toContain('and 7 more of this site');
});

test('JSON contains the same values', async () => {
  const stdin = phishingMail(`${LURE}${decoys(2)}<a href="javascript:x()">https://bank.example/</a>`);
  const { stdout } = await lurecheck([...MESSAGE, '--view', 'message', '--format', 'json'], { stdin });
  const { message, sites } = JSON.parse(stdout);
  expect(message).toMatchObject({
    kind: 'mail',
    decision: 'block',
    decided_by: LURE_URL,
    unchecked: 1,
    subject: 'Your account',
    date: '2026-11-23T02:00:00.000Z',
    from: [{ name: 'PayPal', address: 'service@paypal.example' }],
    reply_to: [{ name: '', address: 'help@collect.example' }],
    reply_to_is: 'other_site',
    return_path: 'bounce@mailer.example',
    return_path_is: 'other_site',
    authentication: {
      server: 'mx.corp.example',
      results: [
        { method: 'spf', result: 'pass', domain: 'mailer.example' },
        { method: 'dmarc', result: 'fail', domain: 'paypal.example' },
      ],
    },
    attachments: [{ content_type: 'application/zip', size_bytes: 70 }],
    not_web: [{ kind: 'script', words: 'https://bank.example/' }],
    is_whole: true,
  });
  const weights = message.reasons.map(({ weight }: { weight: number }) => weight);
  const logOdds = Math.log(message.malicious_probability / (1 - message.malicious_probability));
  expect(weights.reduce((sum: number, weight: number) => sum + weight, message.base_log_odds)).toBeCloseTo(logOdds, 6);
  expect(message.reasons.map(({ code }: { code: string }) => code)).toContain('authentication.failed');
  expect(sites.map(({ site, links }: { site: string; links: unknown[] }) => [site, links.length])).toEqual([
    ['verify-account.cyou', 1],
    ['paypal.example', 1],
    ['wikipedia.org', 2],
  ]);
  expect(sites[0].links[0]).toMatchObject({
    url: LURE_URL,
    decision: 'block',
    in_message: { says: 'www.paypal.com' },
    sentence: { before: 'Please', after: 'until Friday.' },
  });
  const line = await lurecheck([...MESSAGE, '--view', 'message', '--format', 'ndjson'], { stdin });
  expect(line.stdout.trimEnd()).not.toContain('\n');
  expect(JSON.parse(line.stdout).message.decided_by).toBe(LURE_URL);
});

test('prints a page or a text as a whole only with --view message, with the exit code of any check', async () => {
  const stdin = `<html>${LURE}</html>`;
  const plain = await lurecheck([...MESSAGE, '--fail-on', 'block'], { stdin });
  expect(plain.stdout).toStartWith('BLOCK ');
  const whole = await lurecheck([...MESSAGE, '--fail-on', 'block', '--view', 'message'], { stdin });
  expect(whole.stdout).toStartWith('verdict ');
  expect([plain.exitCode, whole.exitCode]).toEqual([20, 20]);
});

test('a message without links has a verdict', async () => {
  const args = [...MESSAGE, '--view', 'message', '--format', 'json'];
  const { stdout } = await lurecheck(args, { stdin: 'no link' });
  const message = { decision: 'allow', decided_by: null, unchecked: 0, reasons: [] };
  expect(JSON.parse(stdout)).toMatchObject({ message, sites: [] });
});

test('a mail with nothing but unread parts calls for caution, also if its sender was checked', async () => {
  const stdin = [
    'From: A <a@corner-shop.de>',
    'MIME-Version: 1.0',
    'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"',
    'Content-Transfer-Encoding: base64',
    '',
    'MIAGCSqGSIb3DQEHA6CAMIACAQA=',
  ].join('\r\n');
  const { stdout } = await lurecheck([...MESSAGE, '--view', 'message', '--format', 'json'], { stdin });
  const { message } = JSON.parse(stdout);
  expect(message).toMatchObject({ decision: 'allow', not_read: ['smime.p7m'], caution: true });
});

test('the exit code is that of the mail, by its own thresholds', async () => {
  const stdin = phishingMail(LURE);
  const exitOf = async (...args: string[]) => (await lurecheck([...MESSAGE, ...args], { stdin })).exitCode;
  expect(await exitOf('--fail-on', 'warn')).toBe(20);
  expect(await exitOf('--fail-on', 'warn', '--message-block-threshold', '0.9999999')).toBe(10);
  expect(await exitOf('--message-block-threshold', '0.1')).toBe(2);
});

test.each([
  [['check', '--view', 'message', 'https://example.com/'], '--view message requires --message'],
  [[...MESSAGE, '--view', 'message', '--format', 'tsv'], '--view message cannot be written as tsv'],
])('%j is refused with the reason', async (args, words) => {
  const { stderr, exitCode } = await lurecheck(args);
  expect(stderr).toContain(words);
  expect(exitCode).toBe(2);
});

test('words that are the own address of a brand are never harmless, and a service that hides a target is named', async () => {
  const links = [
    '<a href="https://garden-wall.example/">www.paypal.com</a>',
    '<a href="https://u1.ct.sendgrid.net/ls/click?upn=u001.abc">www.news.example</a>',
    '<a href="https://u1.ct.sendgrid.net/ls/click?upn=u001.def">www.paypal.example</a>',
  ];
  const { stdout } = await lurecheck(MESSAGE, { stdin: htmlMail(links.join(' '), 'x') });
  expect(stdout).toMatch(/^verdict +(?:warn|block), probability /m);
  expect(stdout).toMatch(/^worst link +warn, https:\/\/garden-wall\.example\/$/m);
  expect(stdout).toMatch(/^WARN .* https:\/\/garden-wall\.example\/$/m);
  expect(stdout).toContain('the message says www.news.example; this goes through SendGrid, which hides the target');
  // The sender's own site, behind the tracker of the sender's mail service.
  expect(stdout).not.toContain('says www.paypal.example');
});
