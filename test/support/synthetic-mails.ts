import { HONEST, passOf, type Sending } from './honest-sendings.ts';
import texts from './mail-texts.json' with { type: 'json' };

/** A mail that nobody sent, with what it is. */
export interface SyntheticMail {
  readonly name: string;
  readonly isFraud: boolean;
  readonly source: string;
}

type Texts = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const exchange = (
  spf: string,
  domain: string,
  rest = 'dkim=none (message not signed) header.d=none;dmarc=none action=none',
) =>
  `spf=${spf} (sender IP is 192.0.2.7) smtp.mailfrom=${domain}; ${rest} header.from=${domain};compauth=fail reason=001`;

/** Ways of sending fraud, by the brand that its text may name. */
const FRAUD: readonly Sending[] = [
  {
    from: 'PayPal Support <lina_marilyn_33406@hxqzkfwv.shop>',
    results: exchange('pass', 'hxqzkfwv.shop'),
    isExchange: true,
    link: 'https://t.co/AbCdEfGhIj',
  },
  {
    from: '"Microsoft account" <noreply@mail.boatyard-sunrise.example>',
    results: exchange('none', 'mail.boatyard-sunrise.example'),
    isExchange: true,
    headers: ['Reply-To: <ms.teamcare@gmail.com>'],
    link: 'https://storage.googleapis.com/x7f3k/index.html',
  },
  {
    from: 'DHL Express <service@dhl.com>',
    results: exchange('fail', 'dhl.com', 'dkim=none;dmarc=fail action=quarantine'),
    isExchange: true,
    link: 'https://dhl-zustellung-info.top/p',
  },
  {
    from: '_ <root@vps-2231.contaboserver.example>',
    results: exchange('softfail', 'vps-2231.contaboserver.example'),
    isExchange: true,
    link: 'http://192.0.2.44/x/',
  },
  {
    from: 'Customer Care <office-73219@kundenportal-service.beauty>',
    results: exchange('pass', 'kundenportal-service.beauty'),
    isExchange: true,
    link: 'https://kundenportal-service.beauty/l/83jf',
  },
  {
    from: 'Info <contact@small-bakery.example>',
    results: exchange('none', 'small-bakery.example'),
    isExchange: true,
    link: 'https://bit.ly/3AbCdEf',
  },
  {
    from: 'Info <contact@small-bakery.example>',
    results: passOf('small-bakery.example'),
    link: 'https://sites.google.com/view/hdk3-secure/start',
  },
];

/** Kinds of fraud that need a link. */
const LINKED: ReadonlySet<string> = new Set(['account', 'parcel', 'prize', 'mailbox', 'wallet']);

/** Ways of sending other frauds, which have no link. */
const LETTERS: readonly Sending[] = [
  {
    from: 'Mr. John Adams <barrister.johnadams771@gmail.com>',
    results: passOf('gmail.com'),
    headers: ['Reply-To: <j.adams.chambers@outlook.com>'],
    link: null,
    isPlain: true,
  },
  {
    from: 'Office <info@small-bakery.example>',
    results: exchange('none', 'small-bakery.example'),
    isExchange: true,
    headers: ['Reply-To: <fund.office@yandex.com>'],
    link: null,
    isPlain: true,
  },
  {
    from: 'Anna Berg <info@small-bakery.example>',
    results: passOf('small-bakery.example'),
    headers: ['Reply-To: <a.berg.office@gmail.com>'],
    link: null,
  },
  {
    from: 'contact@vps-2231.contaboserver.example',
    results: 'spf=none smtp.mailfrom=vps-2231.contaboserver.example; dkim=none; dmarc=none',
    link: null,
    isPlain: true,
  },
];

function written(
  { from, results, isExchange, headers = [], link, isPlain }: Sending,
  subject: string,
  body: string,
): string {
  const received =
    'Received: from mail.sender.example (192.0.2.7) by mx.example.org with ESMTPS; Mon, 23 Nov 2026 10:00:00 +0000';
  const stated = results === null ? [] : [`Authentication-Results: ${isExchange ? '' : 'mx.example.org; '}${results}`];
  const top = isExchange
    ? [received, ...stated, 'Received-SPF: None (protection.outlook.com)', received]
    : [...stated, received];
  const encoded = `=?utf-8?B?${Buffer.from(subject).toString('base64')}?=`;
  const content = isPlain
    ? `${body}\n\n${link ?? ''}\n`
    : `<p>${body}</p>${link === null ? '' : `<p><a href="${link}">${body.split(' ').at(-1) ?? 'Link'}</a></p>`}`;
  return [
    ...headers.filter((one) => one.startsWith('Return-Path')),
    ...top,
    `From: ${from}`,
    'To: maria@example.org',
    `Subject: ${encoded}`,
    'Date: Mon, 23 Nov 2026 10:00:00 +0000',
    ...headers.filter((one) => !one.startsWith('Return-Path')),
    'MIME-Version: 1.0',
    `Content-Type: text/${isPlain ? 'plain' : 'html'}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n'),
    '',
  ].join('\r\n');
}

function mails(kinds: Texts, ways: (kind: string) => readonly Sending[], isFraud: boolean): SyntheticMail[] {
  return Object.entries(kinds).flatMap(([kind, languages]) =>
    Object.entries(languages).flatMap(([language, [subject = '', body = '']]) =>
      ways(kind).map((way, at) => ({
        name: `${kind}-${language}-${at}`,
        isFraud,
        source: written(way, subject, body),
      })),
    ),
  );
}

/** Honest and fraudulent mails in eight languages: texts of this project, in the ways in which such mails are sent. */
export const SYNTHETIC_MAILS: readonly SyntheticMail[] = [
  ...mails(texts.honest, (kind) => HONEST[kind] ?? [], false),
  ...mails(texts.fraud, (kind) => (LINKED.has(kind) ? FRAUD : LETTERS), true),
];
