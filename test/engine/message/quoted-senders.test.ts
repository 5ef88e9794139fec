import { expect, test } from 'bun:test';
import { senderLinks } from '#src/engine/message/sender-link.ts';
import { linksInText } from '#src/engine/message/text/links-in-text.ts';
import { quotedSenders } from '#src/engine/message/text/quoted-senders.ts';

const SENDER = 'service@paypa1.com';

test.each([
  [
    'Outlook, English',
    `From: PayPal <${SENDER}>\nSent: Monday, November 23, 2026 3:00 AM\nTo: Jo\nSubject: Your account`,
  ],
  [
    'Outlook, German',
    `Von: PayPal <${SENDER}> \nGesendet: Montag, 23. November 2026 03:00\nAn: Jo\nBetreff: Ihr Konto`,
  ],
  ['Outlook, French', `De : PayPal <${SENDER}>\nEnvoyé : lundi 23 novembre 2026 03:00\nÀ : Jo\nObjet : Compte`],
  ['Outlook, Spanish', `De: PayPal <${SENDER}>\nEnviado el: lunes\nPara: Jo\nAsunto: Cuenta`],
  ['Outlook, Italian', `Da: PayPal <${SENDER}>\nInviato: lunedì\nA: Jo\nOggetto: Conto`],
  ['Outlook, Portuguese', `De: PayPal <${SENDER}>\nEnviada em: segunda\nPara: Jo\nAssunto: Conta`],
  ['Outlook, Japanese', `差出人: PayPal <${SENDER}>\n送信日時: 2026年11月23日\n宛先: Jo\n件名: アカウント`],
  ['Outlook, Arabic', `من: PayPal <${SENDER}>\nتاريخ الإرسال: الاثنين\nإلى: Jo\nالموضوع: حسابك`],
  ['Outlook, bold', `*From:* PayPal [mailto:${SENDER}]\n*Sent:* Monday\n*To:* Jo`],
  ['Outlook, in a thread', `Hi,\n\n________________________________\nFrom: PayPal\n${SENDER}\nSent: Monday\nTo: Jo`],
  [
    'Gmail, forwarded',
    `---------- Forwarded message ---------\nFrom: PayPal <${SENDER}>\nDate: Mon, Nov 23, 2026\nSubject: x\nTo: <jo@a.example>`,
  ],
  ['Gmail, its view', `PayPal <${SENDER}>\n3:00 AM (2 hours ago)\nto me\n\nDear customer`],
  ['Gmail, its view in German', `PayPal <${SENDER}>\nan mich\n\nHallo`],
  [
    'Apple Mail, forwarded',
    `Begin forwarded message:\n\nFrom: PayPal <${SENDER}>\nSubject: x\nDate: November 23, 2026`,
  ],
  ['Apple Mail, answered', `> On Nov 23, 2026, at 3:00 AM, PayPal <${SENDER}> wrote:\n> Dear customer`],
  ['Apple Mail, answered in German', `Am 23.11.2026 um 03:00 schrieb PayPal <${SENDER}>:`],
  ['Apple Mail, answered in Japanese', `2026/11/23 3:00、PayPal <${SENDER}>のメール：`],
])('reads the sender of a copied mail: %s', (_, text) => {
  expect(quotedSenders(text)).toEqual([SENDER]);
});

test.each([
  ['a contact in a text', `Write to ${SENDER}\nor call us`],
  ['an address list', `${SENDER}\nother@a.example`],
  ['a sentence with from', `from: here\nSubject: none`],
])('reads no sender from %s', (_, text) => {
  expect(quotedSenders(text)).toEqual([]);
});

test('a sender is checked by the domain of its address', () => {
  const links = senderLinks([SENDER, 'other@paypa1.com', 'root@localhost', 'a@ä.example']);
  expect(links.map(({ url, words, role }) => [url, words, role])).toEqual([
    ['https://paypa1.com/', 'other@paypa1.com', 'sender'],
    ['https://xn--4ca.example/', 'a@ä.example', 'sender'],
  ]);
});

test.each([SENDER, `mailto:${SENDER}`, `mailto:${SENDER}?subject=x`, `PayPal <${SENDER}>`, ` ${SENDER} `])(
  'a typed address is a link to its domain: %s',
  (text) => {
    expect(linksInText(text, undefined, true).links).toMatchObject([{ url: 'https://paypa1.com/', role: 'sender' }]);
    expect(linksInText(text).links).toEqual([]);
  },
);

test('reads hostile heads in linear time', () => {
  for (const text of [
    '@'.repeat(200_000),
    `${'a@b.'.repeat(50_000)}\n`.repeat(3),
    'From: a@b.example\n'.repeat(20_000),
  ])
    expect(quotedSenders(text).length).toBeLessThan(2);
});
