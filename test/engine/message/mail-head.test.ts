import { expect, test } from 'bun:test';
import type { AddressRelation } from '#src/engine/message/mail-head.ts';
import { readMessage } from '#src/engine/message/read-message.ts';
import { attachment, headOf, htmlMail } from './mails.ts';

const readText = (text: string) => readMessage(new TextEncoder().encode(text), 'mail.eml');

/** Returns the authentication of a mail that a server received with these headers above its own. */
const claimOf = async (server: string, ...headers: readonly string[]) =>
  (await headOf(...headers, `Received: from a.example (b.example [192.0.2.1]) by ${server} with ESMTPS; today`))
    ?.authentication;

const addressesOf = (addresses: readonly { readonly address: string }[] | undefined) =>
  addresses?.map(({ address }) => address);

test('decodes sender, subject and date', async () => {
  const head = await headOf(
    'From: =?utf-8?Q?J=C3=BCrgen?= <j@bank.example>',
    'Subject: =?utf-8?B?WW91ciBhY2NvdW50?=\r\n is closed',
    'Date: Mon, 23 Nov 2026 03:00:00 +0100',
  );
  expect(head?.from).toEqual([{ name: 'Jürgen', address: 'j@bank.example' }]);
  expect(head?.subject).toBe('Your account is closed');
  expect(head?.date).toBe('2026-11-23T02:00:00.000Z');
  expect(head?.authentication).toBeNull();
});

test.each<[string, string, AddressRelation]>([
  ['boss@corp.example', 'boss@corp.example', 'same'],
  ['Boss@Corp.example', 'boss@corp.example', 'same'],
  ['boss@gmail.com', 'boss.corp@gmail.com', 'same_site'],
  ['news@corp.example', 'help@mail.corp.example', 'same_site'],
  ['boss@corp.example', 'boss@corp-mail.example', 'other_site'],
  ['a@one.co.uk', 'a@two.co.uk', 'other_site'],
])('compares the sender %s with the reply address %s: %s', async (from, replyTo, relation) => {
  const head = await headOf(`From: ${from}`, `Reply-To: Somebody <${replyTo}>`, `Return-Path: <${replyTo}>`);
  expect(addressesOf(head?.replyTo)).toEqual([replyTo]);
  expect([head?.replyToIs, head?.returnPathIs]).toEqual([relation, relation]);
  expect(head?.returnPath).toBe(replyTo);
});

test('returns addresses of groups, of several headers and of several senders, up to five', async () => {
  const head = await headOf(
    'From: a@one.example, "B" <b@two.example>',
    'From: hidden@three.example',
    'Reply-To: Team: x@four.example, y@five.example;',
    `To: ${Array.from({ length: 9 }, (_, at) => `t${at}@x.example`).join(', ')}`,
  );
  expect(addressesOf(head?.from)).toEqual(['a@one.example', 'b@two.example', 'hidden@three.example']);
  expect(addressesOf(head?.replyTo)).toEqual(['x@four.example', 'y@five.example']);
  const many = await headOf(`From: ${Array.from({ length: 9 }, (_, at) => `f${at}@x.example`).join(', ')}`);
  expect(many?.from.length).toBe(5);
});

test.each([
  ['"service@paypal.com" <x@evil.example>', { says: 'paypal.com', goesTo: 'evil.example' }],
  ['"PayPal.com Support" <x@evil.example>', { says: 'paypal.com', goesTo: 'evil.example' }],
  ['"paypal.com" <service@mail.paypal.com>', null],
  ['"Maria" <maria@corp.example>', null],
])('compares the name in %s with its address', async (from, mismatch) => {
  expect((await headOf(`From: ${from}`))?.nameMismatch ?? null).toEqual(mismatch);
});

const AUTHENTICATED = [
  'Authentication-Results: mx.corp.example; spf=pass (sender ok; dmarc=fail) smtp.mailfrom=bounce@evil.example;',
  ' dkim=pass (2048-bit key; unprotected) header.d=evil.example header.i=@evil.example header.b="a;b";',
  ' dmarc=fail (p=REJECT sp=NONE) header.from=paypal.com',
].join('\r\n');

test('returns the receiving server’s results for SPF, DKIM and DMARC', async () => {
  expect(await claimOf('mx.corp.example', AUTHENTICATED)).toEqual({
    server: 'mx.corp.example',
    results: [
      { method: 'spf', result: 'pass', domain: 'evil.example' },
      { method: 'dkim', result: 'pass', domain: 'evil.example' },
      { method: 'dmarc', result: 'fail', domain: 'paypal.com' },
    ],
  });
});

const PASS = 'spf=pass smtp.mailfrom=paypal.com; dkim=pass header.d=paypal.com; dmarc=pass header.from=paypal.com';
const OWN = 'Received: from evil.example by mx.corp.example with ESMTP';

test.each([
  ['below the first Received', [OWN, `Authentication-Results: mx.corp.example; ${PASS}`]],
  ['below it, with a Received of its own', [OWN, `Authentication-Results: mx.corp.example; ${PASS}`, OWN]],
  ['below it, without a name', [OWN, `Authentication-Results: ${PASS}`, 'Received-SPF: Pass', 'X-MS-Exchange-A: b']],
  ['of another server', [`Authentication-Results: mx.evil.example; ${PASS}`, OWN]],
  ['of a server below that of Received', [`Authentication-Results: corp.example; ${PASS}`, OWN]],
  ['without a Received', [`Authentication-Results: mx.corp.example; ${PASS}`]],
  ['below headers of the sender', ['Subject: x', `Authentication-Results: mx.corp.example; ${PASS}`, OWN]],
  ['without a name and without headers of Exchange', [`Authentication-Results: ${PASS}`, OWN]],
  [
    'in a comment of Received',
    [`Authentication-Results: c.example; ${PASS}`, 'Received: from x (by c.example) by d.example'],
  ],
  ['of a chain', [`ARC-Authentication-Results: i=1; mx.corp.example; ${PASS}`, OWN]],
])('shows no results %s', async (_, headers) => {
  expect((await headOf(...headers))?.authentication).toBeNull();
});

test.each([
  ['Received-SPF: Pass (protection.outlook.com: domain of evil.example)'],
  ['X-MS-Exchange-Organization-SCL: 1'],
])('shows results without a name beside %s', async (beside) => {
  const headers = [`Authentication-Results: ${PASS};compauth=pass reason=100`, beside];
  for (const order of [headers, headers.toReversed()])
    expect(await claimOf('x.mail.protection.outlook.com', ...order)).toMatchObject({
      server: null,
      results: [{ method: 'spf' }, { method: 'dkim' }, { method: 'dmarc', result: 'pass' }],
    });
});

test.each([
  ['of the receiver', `Authentication-Results: mx.corp.example; ${PASS}`, OWN, [], true, true],
  [
    'of the receiver, before it received the mail',
    `Authentication-Results: mx.corp.example; ${PASS}`,
    OWN,
    [],
    false,
    false,
  ],
  [
    'of Exchange, before it received the mail',
    `Authentication-Results: ${PASS}`,
    'X-MS-Exchange-A: b',
    [],
    false,
    false,
  ],
  ['of a configured server', `Authentication-Results: filter.example; ${PASS}`, OWN, ['filter.example'], false, true],
  ['of another server', `Authentication-Results: other.example; ${PASS}`, OWN, ['filter.example'], true, false],
])(
  'results %s: configured servers are believed above the first Received',
  async (_, results, below, servers, isReceived, counts) => {
    const text = [results, below, OWN, 'MIME-Version: 1.0', '', 'x'].join('\r\n');
    const trust = { servers, isReceived };
    const message = await readMessage(new TextEncoder().encode(text), 'mail.eml', undefined, null, trust);
    expect(message?.head?.authentication !== null).toBe(counts);
  },
);

test('a configured server is not believed below the first Received', async () => {
  const text = [OWN, `Authentication-Results: filter.example; ${PASS}`, 'MIME-Version: 1.0', '', 'x'].join('\r\n');
  const trust = { servers: ['filter.example'], isReceived: false };
  const message = await readMessage(new TextEncoder().encode(text), 'mail.eml', undefined, null, trust);
  expect(message?.head?.authentication).toBeNull();
});

test('a forged header of the same server changes nothing', async () => {
  const wanted = await claimOf('mx.corp.example', AUTHENTICATED);
  const head = await headOf(AUTHENTICATED, OWN, `Authentication-Results: mx.corp.example; ${PASS}`);
  expect(head?.authentication).toEqual(wanted as never);
});

test('joins the results of one server in several headers, one per filter', async () => {
  const claim = await claimOf(
    'mx.corp.example',
    'Authentication-Results: mx.corp.example; dmarc=pass header.from=corp.example',
    'DKIM-Filter: OpenDKIM Filter v2.11.0',
    'Authentication-Results: other.example; spf=fail',
    'Authentication-Results: mx.corp.example; dkim=pass header.d=corp.example; dmarc=fail',
    'Authentication-Results: mx.corp.example 1; spf=none',
  );
  expect(claim?.results.map(({ method, result }) => `${method}=${result}`)).toEqual([
    'dmarc=pass',
    'dkim=pass',
    'spf=none',
  ]);
});

test.each([
  ['spf=pass smtp.helo=a.example; dkim=none', null, ['spf=pass a.example', 'dkim=none null']],
  ['mx.example; none', 'mx.example', []],
  [
    'mx.example 1 (a (nested) comment); SPF/1 = Pass smtp.mailfrom = "x@A.example"',
    'mx.example',
    ['spf=pass a.example'],
  ],
  ['"mx.example"; arc=pass; compauth=pass; iprev=pass; dkim=temperror (((', 'mx.example', ['dkim=temperror null']],
  ['', null, []],
  [';;;=;(', null, []],
  ['mx.example; SPF=Pass SMTP.MailFrom=<x@A.example.> smtp.helo=b.example', 'mx.example', ['spf=pass a.example']],
  ['mx.example; dkim=pass header.i=@a.example header.d=b.example', 'mx.example', ['dkim=pass b.example']],
  ['mx.example; dkim=pass header.i=@a.example', 'mx.example', ['dkim=pass a.example']],
  ['mx.example; dkim=pass header.d="a b"', 'mx.example', ['dkim=pass null']],
  ['mx.example; x-spf=pass; spf=none', 'mx.example', ['spf=none null']],
  ['mx.example; spf=none; spf=pass', 'mx.example', ['spf=none null']],
  ['mx.example); spf=pass', 'mx.example', ['spf=pass null']],
  ['mx.example; spf=pass (a ") smtp.helo=a.example; dkim=none', 'mx.example', ['spf=pass a.example', 'dkim=none null']],
  ['mx.example; spf=pass (a \\) b; c) smtp.helo=a.example', 'mx.example', ['spf=pass a.example']],
  ['mx.example; spf=pass x.y="a;(b" smtp.helo=a.example', 'mx.example', ['spf=pass a.example']],
  [
    'mx.example; spf=pass smtp.mailfrom="a b"@a.example; dkim=none',
    'mx.example',
    ['spf=pass a.example', 'dkim=none null'],
  ],
  ['mx.example; spf=pass smtp.mailfrom="a\\"; dkim=pass"@a.example', 'mx.example', ['spf=pass a.example']],
  ['mx.example; spf=pass smtp.mailfrom="x@a.example."', 'mx.example', ['spf=pass a.example']],
  ['mx.example; spf=pass smtp.mailfrom="x@a\\.example"', 'mx.example', ['spf=pass a.example']],
])('reads the statement %p', async (value, server, results) => {
  const claim = await claimOf(server ?? 'mx.example', 'Received-SPF: none', `Authentication-Results: ${value}`);
  expect(claim?.server ?? null).toBe(server);
  expect(claim?.results.map(({ method, result, domain }) => `${method}=${result} ${domain}`) ?? []).toEqual(results);
});

test('joins two headers of one server below other headers, regardless of the case of its name', async () => {
  const claim = await claimOf(
    'MX.corp.example.',
    'Return-Path: <x@a.example>',
    'Authentication-Results: MX.corp.example; spf=pass',
    'Authentication-Results: mx.Corp.example; dmarc=pass',
  );
  expect(claim).toMatchObject({ server: 'mx.corp.example', results: [{}, { method: 'dmarc' }] });
});

test('joins no headers of servers without a name', async () => {
  const headers = ['Authentication-Results: spf=pass', 'Received-SPF: pass', 'Authentication-Results: dmarc=pass'];
  expect((await claimOf('mx.example', ...headers))?.results.map(({ method }) => method)).toEqual(['spf']);
});

test('reads at most 12 results, and 8,192 characters of a statement', async () => {
  const signatures = await claimOf('mx.example', `Authentication-Results: mx.example${'; dkim=pass'.repeat(13)}`);
  expect(signatures?.results.length).toBe(12);
  const long = `${'mx.example;'.padEnd(8192 - 'spf=pass'.length)}spf=passed`;
  const claim = await claimOf('mx.example', `Authentication-Results: ${long}`);
  expect(claim?.results.map(({ result }) => result)).toEqual(['pass']);
});

test('truncates a subject to 300 characters, without half a surrogate pair', async () => {
  expect((await headOf(`Subject: ${'a'.repeat(301)}`))?.subject).toBe('a'.repeat(300));
  const pairs = await headOf(`Subject: =?utf-8?B?${Buffer.from(`a${'😀'.repeat(200)}`).toString('base64')}?=`);
  expect(pairs?.subject?.isWellFormed()).toBeTrue();
});

test('reads the first 1,200 characters of a subject', () => {
  const subjectOf = async (spaces: number) =>
    (await headOf(`Subject: =?utf-8?B?${btoa(`a${' '.repeat(spaces)}b`)}?=`))?.subject;
  return expect(Promise.all([1198, 1199].map(subjectOf))).resolves.toEqual(['a b', 'a']);
});

test('returns attachments with type and size, except for inline pictures', async () => {
  const inline = attachment('image/png', 'logo.png', new Uint8Array(9)).replace('attachment;', 'inline;');
  const document = attachment('application/pdf', 'inline.pdf', new Uint8Array(7)).replace('attachment;', 'inline;');
  const mail = htmlMail('<p>x</p>', 'x', [
    attachment('application/zip', 'invoice.zip', new Uint8Array(70)),
    inline,
    document,
    attachment('image/png', 'attached.png', new Uint8Array(3)),
  ]);
  expect((await readText(mail))?.attachments).toEqual([
    { name: 'invoice.zip', contentType: 'application/zip', sizeBytes: 70, risk: null },
    { name: 'inline.pdf', contentType: 'application/pdf', sizeBytes: 7, risk: null },
    { name: 'attached.png', contentType: 'image/png', sizeBytes: 3, risk: null },
  ]);
});

test('returns the sentence of each link, and the line before a button', async () => {
  const message = await readText(
    htmlMail(
      `<p>Dear customer. Please <a href="https://a.example/">confirm your account</a> until Friday! Thank you.</p>
       <div>Your parcel is waiting</div><table><tr><td><a href="https://b.example/">Track</a></td></tr></table>`,
      'Read more on https://c.example/x today. Bye.',
    ),
  );
  expect(message?.sentences.get('https://a.example/')).toEqual({ before: 'Please', after: 'until Friday!' });
  expect(message?.sentences.get('https://b.example/')).toEqual({ before: 'Your parcel is waiting', after: '' });
  expect(message?.sentences.get('https://c.example/x')).toEqual({ before: 'Read more on', after: 'today.' });
});

test('the sentence of a link in a conditional comment is read from the markup in the comment', async () => {
  const markup = '<!--[if mso]>Please <a href="https://a.example/">log in</a> now<![endif]-->';
  const message = await readText(htmlMail(markup, ''));
  expect(message?.sentences.get('https://a.example/')).toEqual({ before: 'Please', after: 'now' });
});

test('the domain of an address starts after its last @', async () => {
  const head = await headOf('From: <"x@paypal.com"@evil.example>', 'Reply-To: <y@evil.example>');
  expect(head?.replyToIs).toBe('same_site');
  const other = await headOf('From: <"x@evil.example"@paypal.com>', 'Reply-To: <y@evil.example>');
  expect(other?.replyToIs).toBe('other_site');
});

test('the sentence of a defanged link is its line', async () => {
  const message = await readText(htmlMail('', 'Go to hxxps://a[.]example/x now'));
  expect(message?.sentences.get('https://a.example/x')).toEqual({
    before: '',
    after: 'Go to hxxps://a[.]example/x now',
  });
});

test('truncates a sentence without an end', async () => {
  const words = 'word '.repeat(10_000);
  const message = await readText(htmlMail(`<p>${words}<a href="https://a.example/">x</a>${words}</p>`, 'x'));
  const { before = '', after = '' } = message?.sentences.get('https://a.example/') ?? {};
  expect(before).toMatch(/^…[a-z ]{100,140}$/);
  expect(after).toMatch(/^[a-z ]{100,140}…$/);
});

test.each([
  ['X-Spam: no', true],
  ['Received-SPF: pass', true],
  ['ARC-Seal: i=1', true],
  ['DKIM-Filter: 1', true],
  ['Delivered-To: a@b.example', true],
  ['Not-Received-SPF: pass', false],
  ['My-X-Spam: no', false],
  ['Received-SPF-Too: pass', false],
  ['Subject: Hello', false],
])('below “%s”, results of the receiving server count: %p', async (above, counts) => {
  const claim = await claimOf('mx.corp.example', above, 'Authentication-Results: mx.corp.example; spf=pass');
  expect(claim !== null && claim !== undefined).toBe(counts);
});
