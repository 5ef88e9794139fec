import { expect, test } from 'bun:test';
import { classifyMail, weightsOf } from '../../support/classify-mail.ts';

const RECEIVED = 'Received: from mail.sender.example by mx.corp.example with ESMTP; today';
const passOf = (domain: string) =>
  `Authentication-Results: mx.corp.example; spf=pass smtp.mailfrom=${domain}; dkim=pass header.d=${domain}; dmarc=pass header.from=${domain}`;
const NONE = 'Authentication-Results: mx.corp.example; spf=none; dkim=none; dmarc=none';
const mail = (headers: readonly string[], text: string, type = 'plain') =>
  [...headers, 'Subject: Hello', 'MIME-Version: 1.0', `Content-Type: text/${type}`, '', text, ''].join('\r\n');

const BLACKMAIL =
  'I hacked your device and recorded you through the webcam. Send 900 USD in Bitcoin to 1BoatSLRHtKNngkdXEeobR76b53LETtpyT or the video goes to all your contacts.';
const FIRM = 'From: Telecom X <info@telecom-x.example>';

test('a threat with the address of a coin is a warning from any sender, unlike a text about such threats', async () => {
  const threat = await classifyMail(mail([passOf('telecom-x.example'), RECEIVED, FIRM], BLACKMAIL));
  expect(threat.decision).not.toBe('allow');
  const advice = `${BLACKMAIL.replace(/to 1Boat\S+/, '')} Our advice: https://telecom-x.example/advice`;
  expect((await classifyMail(mail([passOf('telecom-x.example'), RECEIVED, FIRM], advice))).decision).toBe('allow');
});

const CHARGE =
  'Thank you for renewing Norton 360. Your account will be charged $399.99. If you did not authorize this, call +1 (808) 555-0123 for a refund.';

test('a charge that only a telephone call stops is a warning, unless the mail leads to the site of its sender', async () => {
  const from = 'From: Billing Department <geek99281@gmail.com>';
  const callback = await classifyMail(mail([passOf('gmail.com'), RECEIVED, from], CHARGE));
  expect(callback.decision).not.toBe('allow');
  expect(weightsOf(callback)['scheme.callback']).toBe(4);
  const styled = CHARGE.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit)));
  expect(weightsOf(await classifyMail(mail([passOf('gmail.com'), RECEIVED, from], styled)))['scheme.callback']).toBe(4);
  const own = `${CHARGE} Or see https://app.trellis-notes.example/billing`;
  const firm = [passOf('trellis-notes.example'), RECEIVED, 'From: Trellis <billing@trellis-notes.example>'];
  expect(weightsOf(await classifyMail(mail(firm, own)))['scheme.callback']).toBeUndefined();
});

const LIST_HEADERS = ['List-Id: <a.example>', 'List-Post: <mailto:a@lists.example>'];

test('one part of a scheme does not count, and a list that discusses one is not warned about', async () => {
  const one = await classifyMail(mail([NONE, RECEIVED, 'From: Ruth <ruth@adler.example>'], 'He left an inheritance.'));
  expect(Object.keys(weightsOf(one)).filter((code) => code.startsWith('scheme.'))).toEqual([]);
  const list = [...LIST_HEADERS, 'From: Ruth <ruth@adler.example>'];
  expect((await classifyMail(mail([passOf('adler.example'), RECEIVED, ...list], BLACKMAIL))).decision).toBe('allow');
});

test.each([
  ['a list', LIST_HEADERS],
  ['an answer', ['In-Reply-To: <a@b.example>', 'References: <a@b.example>']],
])('blackmail with the headers of %s, which anybody may write, is a warning', async (_, headers) => {
  const sent = mail([NONE, RECEIVED, ...headers, 'From: Ruth <ruth@adler.example>'], BLACKMAIL);
  expect((await classifyMail(sent)).decision).not.toBe('allow');
});

test('replies to a free mailbox count in full beside a story, also of a confirmed sender', async () => {
  const reply = 'Reply-To: <a.berg.office@gmail.com>';
  const letter = 'I am donating the sum of 1,500,000 euros to you from my inheritance.';
  const headers = [passOf('bakery.example'), RECEIVED, 'From: Anna Berg <info@bakery.example>', reply];
  expect(weightsOf(await classifyMail(mail(headers, letter)))['sender.reply_to_freemail']).toBeGreaterThan(1);
  expect(
    weightsOf(await classifyMail(mail(headers, 'The match is on Sunday.')))['sender.reply_to_freemail'],
  ).toBeLessThan(0.5);
});

const LOCKED = '<p>Your account is suspended. Verify your information within 24 hours.</p>';

test('a brand in the name on the confirmed site of another firm, with a lure, is a warning', async () => {
  const link = '<a href="https://hotel-bellavista.example/x">Verify</a>';
  const headers = [passOf('hotel-bellavista.example'), RECEIVED, 'From: Netflix <info@hotel-bellavista.example>'];
  const taken = await classifyMail(mail(headers, LOCKED + link, 'html'));
  expect(taken.decision).not.toBe('allow');
  expect(Object.keys(weightsOf(taken)).filter((code) => code.startsWith('trust.'))).toEqual([]);
});

test.each([
  [
    'a bank of a group, whose other name its site has',
    'Volksbank Nordheide <service@vb-nordheide.de>',
    'vb-nordheide.de',
  ],
  [
    'a site that bears the name of the brand',
    'Netflix Karriere <noreply@netflix-karriere.example>',
    'netflix-karriere.example',
  ],
])('%s is little suspicious if confirmed', async (_, from, domain) => {
  const headers = (results: string) => [results, RECEIVED, `From: ${from}`];
  const confirmed = weightsOf(await classifyMail(mail(headers(passOf(domain)), 'Good day')));
  expect(confirmed['sender.brand_in_name']).toBeLessThan(1);
  const denied = weightsOf(await classifyMail(mail(headers(NONE), 'Good day')));
  expect(denied['sender.brand_in_name']).toBeGreaterThan(2);
});

test('a name that is in the address is that of a person, not of a brand', async () => {
  const weights = weightsOf(
    await classifyMail(mail([NONE, RECEIVED, 'From: Paula Santander <paula@estudio.example>'], 'Hi')),
  );
  expect(weights['sender.brand_in_name']).toBeUndefined();
});

test.each([
  ['Microsoft account team <ms.security881@outlook.com>', 'outlook.com', true],
  ['Google Support <team.google.accounts7@gmail.com>', 'gmail.com', true],
  ['GMX Kundenservice <service@gmx.net>', 'gmx.net', false],
  ['WEB.DE <neu@mailings.web.de>', 'mailings.web.de', false],
  ['Amazonカスタマーサービス <info@blue-harbor.example>', 'blue-harbor.example', true],
  ['三井住友カード <info@blue-harbor.example>', 'blue-harbor.example', true],
  ['三井住友カード <mail@contact.vpass.ne.jp>', 'contact.vpass.ne.jp', false],
  ['【重要】楽天カード株式会社 <info@blue-harbor.example>', 'blue-harbor.example', true],
  ['株式会社メルカリ <info@blue-harbor.example>', 'blue-harbor.example', true],
  ['三菱UFJ銀行 <info@blue-harbor.example>', 'blue-harbor.example', true],
  ['ソフトバンクホークス <info@softbankhawks.example>', 'softbankhawks.example', false],
  ['林ティーハウス楽天市場店 <shop@teahouse.example>', 'teahouse.example', false],
  ['مصرف الراجحي <info@blue-harbor.example>', 'blue-harbor.example', true],
  ['Österreichische Post AG <info@blue-harbor.example>', 'blue-harbor.example', true],
  ['La Poste Suisse <noreply@post.ch>', 'post.ch', false],
  ['Netflix via Wise <noreply@wise.com>', 'wise.com', false],
])('%s claims the brand of its provider: %p %p', async (from, domain, isClaim) => {
  const weights = weightsOf(await classifyMail(mail([passOf(domain), RECEIVED, `From: ${from}`], 'Good day')));
  expect((weights['sender.brand_in_name'] ?? 0) > 2).toBe(isClaim);
});

test('a brand in the subject counts from a free mailbox as well', async () => {
  const headers = [passOf('gmail.com'), RECEIVED, 'From: Service <paypal.service771@gmail.com>'];
  const weights = weightsOf(
    await classifyMail(
      mail(headers, 'Your account is suspended. Verify it.').replace(
        'Subject: Hello',
        'Subject: PayPal account limited',
      ),
    ),
  );
  expect(weights['sender.brand_in_subject']).toBeGreaterThan(1);
});

test.each([
  ['Mailchimp', 'mail5.mcsv.net', 'mcsv.net'],
  ['SendGrid', 'em8432.sendgrid.net', 'sendgrid.net'],
  ['Amazon SES', 'eu-west-1.amazonses.com', 'amazonses.com'],
  ['Mailgun', 'mailgun.org', 'mailgun.org'],
  ['Brevo', 'gd.d.sender-sib.com', 'sendinblue.com'],
  ['Google Workspace', 'cafe-luna.example', 'cafe-luna-example.20230601.gappssmtp.com'],
  ['Exchange Online', 'cafeluna.onmicrosoft.com', 'cafeluna.onmicrosoft.com'],
])('%s, which signs for itself, makes no honest mail suspicious', async (_, bounce, signer) => {
  const results = `Authentication-Results: mx.corp.example; spf=pass smtp.mailfrom=${bounce}; dkim=pass header.d=${signer}; dmarc=none`;
  const headers = [`Return-Path: <b@${bounce}>`, results, RECEIVED, 'From: Café Luna <hallo@cafe-luna.example>'];
  const text = '<p>Gewinnspiel: Gutschein gewinnen</p><a href="https://cafe-luna.example/spiel">Mitmachen</a>';
  const assessed = await classifyMail(mail(headers, text, 'html'));
  expect(assessed.decision).toBe('allow');
  expect(weightsOf(assessed)['sender.return_elsewhere']).toBeUndefined();
  const untrusted = headers.map((line) => line.replace('mx.corp.example; spf', 'mx.evil.example; spf'));
  expect((await classifyMail(mail(untrusted, text, 'html'))).verdict.logOdds).toBeGreaterThan(assessed.verdict.logOdds);
});

test.each([
  [
    'another free mailbox',
    'From: Bin <fc6@gmail.com>',
    'Reply-To: <hmurrah39@gmail.com>',
    'sender.reply_to_freemail',
    1.9,
  ],
  ['the same mailbox', 'From: Bin <fc6@gmail.com>', 'Reply-To: <FC6@gmail.com>', 'sender.reply_to_freemail', null],
  ['a title for a name', 'From: Mrs. Susan Hara <susan@gmail.com>', 'X-A: b', 'sender.titled', 0.8],
  ['a title at a domain of its own', 'From: Mrs. Susan Hara <susan@hara.example>', 'X-A: b', 'sender.titled', null],
  [
    "the receiver's domain for a name",
    'From: corp.example Support <a@b.example>',
    'X-A: b',
    'sender.claims_reader',
    1.7,
  ],
  ["the receiver's address", 'From: "anna@corp.example" <a@b.example>', 'X-A: b', 'sender.claims_reader', 1.7],
  ['the domain of a colleague', 'From: corp.example Support <it@corp.example>', 'X-A: b', 'sender.claims_reader', null],
])('%s counts by who may have it', async (_, from, header, code, atLeast) => {
  const headers = [passOf(from.replace(/.*@|>.*/g, '')), RECEIVED, from, 'To: Anna <anna@corp.example>', header];
  const weight = weightsOf(await classifyMail(mail(headers, 'The match is on Sunday.')))[code];
  expect(weight === undefined ? null : weight > (atLeast ?? 0)).toBe(atLeast === null ? null : true);
});

test('a sender who asks for an answer about something undisclosed is warned about if another mailbox gets it', async () => {
  const text = 'Hello dear, I have a business proposal to discuss with you. Kindly get back to me for more details.';
  const headers = [passOf('gmail.com'), RECEIVED, 'From: Alek Brian <marfor77@gmail.com>'];
  expect((await classifyMail(mail(headers, text))).decision).toBe('allow');
  expect((await classifyMail(mail([...headers, 'Reply-To: <brianalek510@gmail.com>'], text))).decision).not.toBe(
    'allow',
  );
});

test('a lure that leads away from its confirmed sender counts more, unless it leads to the site of a known brand', async () => {
  const weightOf = async (link: string) => {
    const headers = [passOf('millbrookfarm.example'), RECEIVED, 'From: Mill <a@millbrookfarm.example>'];
    const html = mail(headers, `<p>Hello</p><a href="${link}">Go on</a>`, 'html');
    const subject = 'Subject: Your parcel is waiting';
    return weightsOf(await classifyMail(html.replace('Subject: Hello', subject)))['links.elsewhere'] ?? 0;
  };
  expect(await weightOf('https://www.lakeviewrotary.org/about/')).toBeGreaterThan(1);
  expect(await weightOf('https://www.dhl.de/track?id=4711')).toBeLessThan(0.5);
  expect(await weightOf('https://www.millbrookfarm.example/about/')).toBe(0);
});

const ANSWER = ['In-Reply-To: <a@corp.example>', 'References: <a@corp.example>'];
const supplier = (text: string) =>
  classifyMail(
    mail([passOf('smit-staal.example'), RECEIVED, 'From: Jan Smit <jan@smit-staal.example>', ...ANSWER], text),
  );

test.each([
  'Our banking details have been updated, as the previous account is under audit. Please remit the pending invoice to the new account and advise once paid. IBAN NL91 ABNA 0417 1643 00',
  'Wir haben die Bank gewechselt. Bitte zahlen Sie offene Rechnungen nur noch auf NL91 ABNA 0417 1643 00.',
  'Onze bankgegevens zijn gewijzigd. Graag de openstaande factuur betalen op NL91 ABNA 0417 1643 00, het oude rekeningnummer is niet meer in gebruik.',
  'Nous avons un nouveau RIB. Merci de régler la facture sur FR76 3000 6000 0112 3456 7890 189 et de ne plus utiliser l’ancien compte.',
])('a new bank account in the answer of a confirmed supplier is a warning: %s', async (text) => {
  expect((await supplier(text)).decision).toBe('warn');
});

test.each([
  'The invoice is attached. Please pay to the known account NL91 ABNA 0417 1643 00 until Friday.',
  'Das Konto bleibt dasselbe: NL91 ABNA 0417 1643 00. Danke für die pünktliche Zahlung der Rechnung.',
])('an answer about a known bank account does not count: %s', async (text) => {
  expect((await supplier(text)).decision).toBe('allow');
});
