import { expect, test } from 'bun:test';
import { classifyMail, weightsOf } from '../../support/classify-mail.ts';
import { MODELS } from '../../support/models.ts';

const knowledge = MODELS.knowledge.withConfigured([{ name: 'Nordwerk', domains: ['nordwerk.example'] }]);
const models = { ...MODELS, knowledge };
const people = ['Ann Example', 'Jürgen Groß-Müller', 'Noémie Lefèvre', '山田太郎', 'Carl Bishop'];

const RECEIVED = 'Received: from mail.sender.example by mx.nordwerk.example with ESMTP; today';
const resultsOf = (result: string, domain: string) =>
  `Authentication-Results: mx.nordwerk.example; spf=${result} smtp.mailfrom=${domain}; dkim=${result} header.d=${domain}; dmarc=${result} header.from=${domain}`;
const CHAT = 'See you on Sunday at the match.';

function mail(from: string, text = CHAT, headers: readonly string[] = [], result = 'pass'): string {
  const head = [
    resultsOf(result, from.replace(/.*@|>.*/g, '')),
    RECEIVED,
    `From: ${from}`,
    'To: <eve@nordwerk.example>',
  ];
  return [
    ...head,
    ...headers,
    'Subject: Hello',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
  ].join('\r\n');
}

const classify = (source: string, options: object = { models, people }) => classifyMail(source, [], options);
const weightOf = async (source: string, options?: object) =>
  weightsOf(await classify(source, options))['sender.own_person'] ?? 0;

test.each([
  'Ann Example <ann@free.example>',
  '"EXAMPLE, Ann" <x@gmail.com>',
  '"Example Ann" <x@gmail.com>',
  'Аnn Ехаmрlе <x@gmail.com>',
  'Ann Examp1e <x@gmail.com>',
  'Ánn Exämple <x@gmail.com>',
  'AnnExample <x@gmail.com>',
  '"Dr. Ann B. Example, CEO" <x@gmail.com>',
  'Ann Example (Nordwerk GmbH) <x@gmail.com>',
  '"Ann Example - Managing Director" <x@gmail.com>',
  '"Ann Example ann@nordwerk.example" <x@gmail.com>',
  'Ann Example via Nordwerk <x@gmail.com>',
  'Juergen Gross-Mueller <x@gmail.com>',
  'Jurgen Groß Muller <x@gmail.com>',
  'Jurgen Gross-Muller <x@gmail.com>',
  'Lefevre Noemie <x@gmail.com>',
  '山田 太郎 <x@gmail.com>',
  'Carl Bishop <x@gmail.com>',
])('%s poses as one of the own people', async (from) => {
  expect(await weightOf(mail(from))).toBeGreaterThan(0.9);
  expect(await weightOf(mail(from), { models })).toBe(0);
});

test.each([
  ['an address of an own domain', 'Ann Example <ann@nordwerk.example>'],
  ['a host below it', 'Ann Example <ann@mail.nordwerk.example>'],
  ['another person of the same family', 'Tom Example <tom@free.example>'],
  ['a longer name', 'Ann Lee Example <ann@free.example>'],
  ['a firm', 'Ann Example Photography <hello@photo.example>'],
  ['a list that rewrites the sender', 'Ann Example via Hiking <hiking@lists.example>'],
  ['a service that sends for people', '"Ann Example (via Docs)" <drive-shares@google.com>'],
])('%s does not', async (_, from) => {
  expect(await weightOf(mail(from))).toBe(0);
});

test('a colleague at a domain that nobody configured poses as nobody', async () => {
  const colleague = mail('Ann Example <ann@own.example>').replace('eve@nordwerk.example', 'eve@own.example');
  expect(await weightOf(colleague)).toBe(0);
  expect(await weightOf(mail('Ann Example <ann@own.example>'), { people })).toBe(0);
  expect(await weightOf(mail('Ann Example <ann@gmail.com>'), { people })).toBeGreaterThan(0.9);
});

test.each([
  ['gift cards', 'I am in a meeting and cannot talk. Please buy some gift cards, and send me the codes.'],
  ['a transfer', 'Are you at your desk? I need you to process an urgent wire transfer today. Keep it confidential.'],
  ['bank details', 'Bitte überweisen Sie künftige Zahlungen auf die neue Bankverbindung, die alte ist gesperrt.'],
])('the name decides beside a request for %s, and does not warn by itself', async (_, text) => {
  const from = 'Ann Example <ann@free.example>';
  expect((await classify(mail(from, text))).decision).toBe('block');
  expect((await classify(mail(from, text), { models })).decision).not.toBe('block');
  expect((await classify(mail('Ann Example <ann@nordwerk.example>', text), { models, people })).decision).not.toBe(
    'block',
  );
  expect((await classify(mail(from))).decision).toBe('allow');
  expect((await classify(mail('Ann Example <ann@gmail.com>'))).decision).toBe('allow');
});

test('in a conversation and on a list, where people write from addresses of their own, the name counts less', async () => {
  const from = 'Ann Example <ann@free.example>';
  const alone = await weightOf(mail(from));
  const answer = await weightOf(mail(from, CHAT, ['In-Reply-To: <a@nordwerk.example>']));
  const list = await weightOf(mail(from, CHAT, ['List-Id: <a.example>', 'List-Post: <mailto:a@lists.example>']));
  expect([answer < alone, list < alone]).toEqual([true, true]);
});

test('words of a list or a service hide nobody whom the receiving server denies', async () => {
  const from = 'Ann Example via Outlook <ann@free.example>';
  expect(await weightOf(mail(from))).toBe(0);
  expect(await weightOf(mail(from, CHAT, [], 'fail'))).toBeGreaterThan(0.9);
});

const ERRAND = 'Are you at your desk? I need a quick favour. Please buy some gift cards, and send me the codes.';

test.each(['Ann Example via Outlook', '"Ann Example, im Auftrag"', '"Ann Example (on behalf of the board)"'])(
  'the words of %s hide nobody who asks for gift cards, and a receiver in the own domain excuses nobody',
  async (name) => {
    const source = mail(`${name} <ann@free.example>`, ERRAND);
    expect((await classify(source)).decision).toBe('block');
    const colleague = mail('Ann Example <ann@free.example>', ERRAND).replace('eve@nordwerk.example', 'me@free.example');
    expect((await classify(colleague)).decision).toBe('block');
  },
);
