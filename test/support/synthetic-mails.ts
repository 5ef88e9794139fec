import texts from './mail-texts.json' with { type: 'json' };

/** A mail that nobody sent, with what it is. */
export interface SyntheticMail {
  readonly name: string;
  readonly isFraud: boolean;
  readonly source: string;
}

type Texts = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Head, links and authentication of a sender. */
interface Sending {
  readonly from: string;
  /** Results as the receiving server states them; null for a mail without any. */
  readonly results: string | null;
  /** Exchange states results without its name, and below headers of its own hops. */
  readonly isExchange?: boolean;
  readonly headers?: readonly string[];
  /** Target of the button; null for a mail without links. */
  readonly link: string | null;
  readonly isPlain?: boolean;
}

const passOf = (domain: string) =>
  `spf=pass smtp.mailfrom=${domain}; dkim=pass header.d=${domain}; dmarc=pass header.from=${domain}`;

/** Ways of sending honest mail, by the kind of the text. */
const HONEST: Readonly<Record<string, readonly Sending[]>> = {
  newsletter: [
    {
      from: 'Harbourlight Tea <news@harbourlight-tea.com>',
      results: passOf('harbourlight-tea.com'),
      headers: [
        'Return-Path: <bounces+81-a2-maria=example.org@em8432.harbourlight-tea.com>',
        'List-Unsubscribe: <https://u8432.ct.sendgrid.net/wf/unsubscribe?upn=u001.abcdefghijklmnop>',
      ],
      link: 'https://u8432.ct.sendgrid.net/ls/click?upn=u001.abcdefghijklmnopqrstuvwxyz-2Fabc',
    },
    {
      from: 'Harbourlight Tea <news@harbourlight-tea.com>',
      results: null,
      headers: ['List-Unsubscribe: <https://harbourlight-tea.com/u/1>'],
      link: 'https://harbourlight-tea.com/autumn',
    },
    {
      from: 'Museum am See <programm@museum-am-see.example>',
      results: 'spf=pass smtp.mailfrom=mail198.atl61.mcsv.net; dkim=pass header.d=mcsv.net; dmarc=none',
      headers: [
        'Return-Path: <bounce-mc.us1_123.456-maria=example.org@mail198.atl61.mcsv.net>',
        'List-Id: 81mc list <81.list-id.mcsv.net>',
        'List-Unsubscribe: <https://museum.us1.list-manage.com/unsubscribe?u=1>',
      ],
      link: 'https://museum.us1.list-manage.com/track/click?u=0123456789abcdef01234567&id=01234567ab&e=0123456789',
    },
  ],
  notice: [
    {
      from: 'Google <no-reply@accounts.google.com>',
      results: passOf('accounts.google.com'),
      link: 'https://accounts.google.com/AccountChooser?Email=maria@example.org',
    },
    {
      from: 'PayPal <service@paypal.com>',
      results: passOf('paypal.com'),
      link: 'https://www.paypal.com/myaccount/security',
    },
    { from: 'PayPal <service@paypal.com>', results: null, link: 'https://www.paypal.com/myaccount/security' },
    {
      from: 'GitHub <noreply@github.com>',
      results: passOf('github.com'),
      link: 'https://github.com/settings/security-log',
      isPlain: true,
    },
    {
      from: 'Waldhof Gemeinschaft <konto@waldhof-gemeinschaft.example>',
      results: passOf('waldhof-gemeinschaft.example'),
      link: 'https://waldhof-gemeinschaft.example/login',
    },
  ],
  order: [
    { from: 'DHL Paket <noreply@dhl.de>', results: passOf('dhl.de'), link: 'https://www.dhl.de/track?id=4711' },
    {
      from: 'Harbourlight Tea <orders@harbourlight-tea.com>',
      results: passOf('harbourlight-tea.com'),
      link: 'https://harbourlight-tea.com/orders/4711',
    },
    {
      from: '"Amazon.de" <versandbestaetigung@amazon.de>',
      results: passOf('amazon.de'),
      link: 'https://www.amazon.de/gp/css/shiptrack/view.html?orderID=1',
    },
    {
      from: 'Harbourlight Tea <orders@harbourlight-tea.com>',
      results: null,
      link: 'https://www.dhl.de/track?id=4711',
      isPlain: true,
    },
  ],
  club: [
    {
      from: 'Ruderclub Nord <info@ruderclub-nord.example>',
      results: passOf('ruderclub-nord.example'),
      headers: ['Reply-To: Tom <tom.ruderer@gmail.com>'],
      link: 'https://ruderclub-nord.example/termine',
      isPlain: true,
    },
    {
      from: 'Ruderclub Nord <info@ruderclub-nord.example>',
      results: 'spf=none smtp.mailfrom=ruderclub-nord.example; dkim=none; dmarc=none',
      headers: ['Reply-To: Tom <tom.ruderer@gmx.de>'],
      link: null,
      isPlain: true,
    },
    {
      from: 'Tom Maier <tom.maier1984@gmail.com>',
      results: passOf('gmail.com'),
      link: 'https://forms.gle/AbCdEfGhIjKlMnOp9',
      isPlain: true,
    },
    { from: 'Tom Maier <tom@maier-familie.example>', results: null, link: null, isPlain: true },
    {
      from: 'tom@maier-familie.example',
      results: null,
      link: 'http://www.maier-familie.example/bilder',
      isPlain: true,
    },
    {
      from: 'Tom Maier via nord <nord@lists.ruderclub-nord.example>',
      results: 'spf=fail smtp.mailfrom=maier-familie.example; dkim=fail; dmarc=fail header.from=maier-familie.example',
      headers: [
        'List-Id: <nord.lists.ruderclub-nord.example>',
        'List-Post: <mailto:nord@lists.ruderclub-nord.example>',
        'Return-Path: <nord-bounces@lists.ruderclub-nord.example>',
      ],
      link: 'https://lists.ruderclub-nord.example/nord',
      isPlain: true,
    },
    {
      from: 'Tom Maier <tom@maier-familie.example>',
      results: 'spf=fail smtp.mailfrom=maier-familie.example; dkim=pass header.d=maier-familie.example',
      headers: ['In-Reply-To: <1@example.org>', 'References: <1@example.org>'],
      link: null,
      isPlain: true,
    },
  ],
  confirm: [
    {
      from: 'Feldpost Forum <registrierung@feldpost-forum.example>',
      results: passOf('feldpost-forum.example'),
      link: 'https://feldpost-forum.example/confirm/abc',
    },
    {
      from: 'Mastodon <notifications@social.waldhof.example>',
      results: null,
      link: 'https://social.waldhof.example/auth/confirmation?token=1',
      isPlain: true,
    },
  ],
  dunning: [
    {
      from: 'Netflix <info@account.netflix.com>',
      results: passOf('account.netflix.com'),
      link: 'https://www.netflix.com/YourAccountPayment',
    },
    {
      from: 'Hosting Waldhof <rechnung@waldhof-hosting.example>',
      results: passOf('waldhof-hosting.example'),
      link: 'https://kunden.waldhof-hosting.example/rechnungen/2217',
    },
    {
      from: 'Hosting Waldhof <rechnung@waldhof-hosting.example>',
      results: null,
      link: 'https://kunden.waldhof-hosting.example/rechnungen/2217',
      isPlain: true,
    },
  ],
};

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

/** Ways of sending requests for money, which have no link. */
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
  ...mails(texts.fraud, (kind) => (kind === 'money' ? LETTERS : FRAUD), true),
];
