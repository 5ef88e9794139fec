import { expect, test } from 'bun:test';
import { MESSAGE_ANALYZERS, MESSAGE_MODEL } from '#src/engine/mail-verdict/assess-message.ts';
import { classifyMail, weightsOf } from '../../support/classify-mail.ts';
import { classifiedMails, messageFigures } from '../../support/message-figures.ts';

const decisions = await classifiedMails();
const honest = decisions.filter(({ isFraud }) => !isFraud);
const fraud = decisions.filter(({ isFraud }) => isFraud);

test('blocks none of the synthetic honest mails, and warns about at most 1 % of them', () => {
  expect(honest.length).toBeGreaterThan(350);
  expect(honest.filter(({ decision }) => decision === 'block').map(({ name }) => name)).toEqual([]);
  expect(honest.filter(({ decision }) => decision === 'warn').length).toBeLessThanOrEqual(honest.length / 100);
});

test('catches at least 85 % of the synthetic frauds, and most of each kind in each language', () => {
  const isCaught = ({ decision }: (typeof fraud)[number]) => decision !== 'allow';
  expect(fraud.filter(isCaught).length).toBeGreaterThanOrEqual(0.85 * fraud.length);
  const kinds = Map.groupBy(fraud, ({ name }) => name.replace(/-\d+$/, ''));
  for (const [kind, mails] of kinds)
    expect([kind, mails.filter(isCaught).length >= mails.length / 2]).toEqual([kind, true]);
});

test('reasons add up to the verdict, within the caps of their components', () => {
  for (const { verdict } of decisions) {
    const sum = verdict.contributions.reduce((total, { weight }) => total + weight, verdict.baseLogOdds);
    expect(sum).toBeCloseTo(Math.log(verdict.probability / (1 - verdict.probability)), 6);
    for (const { component } of MESSAGE_ANALYZERS) {
      const own = verdict.contributions.filter((one) => one.component === component);
      const total = own.reduce((all, { weight }) => all + weight, 0);
      expect(total).toBeLessThanOrEqual((MESSAGE_MODEL.caps[component]?.max ?? 0) + 1e-9);
      expect(total).toBeGreaterThanOrEqual((MESSAGE_MODEL.caps[component]?.min ?? 0) - 1e-9);
    }
  }
});

test('the same mail has the same verdict, byte for byte', async () => {
  for (const { source, verdict } of decisions.slice(0, 20))
    expect(JSON.stringify((await classifyMail(source)).verdict)).toBe(JSON.stringify(verdict));
});

const PASS = 'spf=pass smtp.mailfrom=paypal.com; dkim=pass header.d=paypal.com; dmarc=pass header.from=paypal.com';
const OWN = 'Received: from evil.example by mx.corp.example with ESMTP; today';
const mail = (headers: readonly string[], text = 'Verify your account within 24 hours') =>
  [...headers, 'Subject: Notice', 'MIME-Version: 1.0', 'Content-Type: text/plain', '', text, ''].join('\r\n');
const FROM = 'From: PayPal <service@paypal.com>';

test.each([
  ['below the first Received', [OWN, `Authentication-Results: mx.evil.example; ${PASS}`]],
  ['below it, with the name of the receiver', [OWN, `Authentication-Results: mx.corp.example; ${PASS}`]],
  ['below it, in the form of Exchange', [OWN, `Authentication-Results: ${PASS}`, 'Received-SPF: Pass']],
  ['of another server', [`Authentication-Results: mx.evil.example; ${PASS}`, OWN]],
  ['of a chain that nobody configured', [`ARC-Authentication-Results: i=1; mx.corp.example; ${PASS}`, OWN]],
])('a pass %s does not count', async (_, headers) => {
  const weights = weightsOf(await classifyMail(mail([...headers, FROM])));
  expect(Object.keys(weights).filter((code) => code.startsWith('trust.'))).toEqual([]);
});

test('a pass of the receiving server for the domain of a known brand counts', async () => {
  const confirmed = await classifyMail(mail([`Authentication-Results: mx.corp.example; ${PASS}`, OWN, FROM]));
  expect(weightsOf(confirmed)['trust.known_sender']).toBeLessThan(-2);
  expect(confirmed.decision).toBe('allow');
});

test('a pass for another domain than that of the sender does not count', async () => {
  const other = PASS.replaceAll('paypal.com', 'evil.example');
  const weights = weightsOf(await classifyMail(mail([`Authentication-Results: mx.corp.example; ${other}`, OWN, FROM])));
  expect(Object.keys(weights).filter((code) => code.startsWith('trust.'))).toEqual([]);
});

test.each([
  ['above the first Received', [`Authentication-Results: mx.corp.example; spf=fail; dkim=none; dmarc=fail`, OWN]],
  ['below it, since no sender states a failure of its own', [OWN, `Authentication-Results: spf=fail;dmarc=fail`]],
])('a failure counts %s, but not for the mail of a list', async (_, headers) => {
  expect(weightsOf(await classifyMail(mail([...headers, FROM])))['authentication.failed']).toBeGreaterThan(1);
  const list = ['List-Id: <a.example>', 'List-Post: <mailto:a@lists.example>'];
  expect(weightsOf(await classifyMail(mail([...headers, FROM, ...list])))['authentication.failed']).toBeUndefined();
});

test('a mail without results is unknown, not failed', async () => {
  const weights = weightsOf(await classifyMail(mail([FROM])));
  expect(Object.keys(weights).filter((code) => code.startsWith('authentication.'))).toEqual([]);
});

const NEWSLETTER = (results: string) =>
  [
    `Authentication-Results: mx.corp.example; ${results}`,
    OWN,
    'From: Harbourlight Tea <news@harbourlight-tea.com>',
    'Subject: Our autumn teas',
    'MIME-Version: 1.0',
    'Content-Type: text/html',
    '',
    '<p>Our teas: <a href="https://u8432.ct.sendgrid.net/ls/click?upn=u001.abcdefghijklmnopqrstuvwxyz-2Fa">https://www.harbourlight-tea.com/a</a>',
    'or <a href="https://click.unknown-tracker.example/x">www.harbourlight-tea.com</a></p>',
  ].join('\r\n');

test('a header by which a mail calls itself an answer hides neither a claimed brand nor a failure', async () => {
  const foreign = ['From: Microsoft 365 <service@office-desk.example>', 'In-Reply-To: <a@b.example>'];
  const failed =
    'Authentication-Results: mx.corp.example; spf=fail; dkim=fail; dmarc=fail header.from=office-desk.example';
  const weights = weightsOf(await classifyMail(mail([failed, OWN, ...foreign])));
  expect(weights['sender.brand_in_name']).toBeGreaterThan(2);
  expect(weights['authentication.failed']).toBeGreaterThan(1);
  expect(weights['trust.conversation']).toBeUndefined();
});

test('a confirmed sender cannot vouch for a link to its own site that is blocked', async () => {
  const site = 'paypal-secure-login.com';
  const passed = `Authentication-Results: mx.corp.example; spf=pass smtp.mailfrom=${site}; dmarc=pass header.from=${site}`;
  const text = `Verify your account within 24 hours: https://${site}/webscr/login`;
  const { decision, verdict } = await classifyMail(mail([passed, OWN, `From: Notice <notice@${site}>`], text));
  expect(decision).toBe('block');
  expect(verdict.contributions.map(({ code }) => code)).toContain('links.suspicious');
});

test('words that name the site of a confirmed sender before the link of its mail service are no contradiction', async () => {
  const pass = PASS.replaceAll('paypal.com', 'harbourlight-tea.com');
  const confirmed = await classifyMail(NEWSLETTER(pass));
  expect(confirmed.decision).toBe('allow');
  expect(weightsOf(confirmed)['links.contradicted']).toBeUndefined();
  const failed = await classifyMail(NEWSLETTER('spf=fail; dkim=none; dmarc=fail'));
  expect(weightsOf(failed)['links.contradicted']).toBeGreaterThan(1);
});

test('a listed link blocks a mail of any sender', async () => {
  const url = 'https://www.paypal.com/x';
  const source = mail([`Authentication-Results: mx.corp.example; ${PASS}`, OWN, FROM], `Look at ${url} please`);
  expect((await classifyMail(source)).decision).toBe('allow');
  expect((await classifyMail(source, [url])).decision).toBe('block');
});

test('a bounce is not classified by the mail that it returns', async () => {
  const inner = mail(['From: PayPal <x@evil-shop.top>'], 'Verify http://paypal-login.verify-account.cyou/signin');
  const bounce = [
    ...['Return-Path: <>', OWN, 'From: Mail Delivery System <MAILER-DAEMON@mx.example.net>', 'MIME-Version: 1.0'],
    ...['Subject: Undelivered Mail', 'Content-Type: multipart/report; boundary=b', '', '--b', '', 'Not delivered'],
    ...['--b', 'Content-Type: message/rfc822', '', inner, '--b--', ''],
  ].join('\r\n');
  expect((await classifyMail(bounce)).decision).toBe('allow');
});

test('every text has a verdict', async () => {
  for (const source of [
    '',
    'Hello',
    'From: \r\nMIME-Version: 1.0\r\n\r\n',
    '<p>x</p>',
    'From: a@\r\nReceived: x\r\n\r\n',
  ])
    expect((await classifyMail(source)).decision).toBe('allow');
});

test('the model card has the figures of the synthetic mails; bun .ci/message-card.ts writes them', async () => {
  expect(await Bun.file('src/engine/models/MODEL_CARD.md').text()).toContain(messageFigures(decisions));
});
