/** Head, links and authentication of a sender. */
export interface Sending {
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

/** Results of a receiving server that confirm a domain. */
export const passOf = (domain: string) =>
  `spf=pass smtp.mailfrom=${domain}; dkim=pass header.d=${domain}; dmarc=pass header.from=${domain}`;

/** Ways of sending honest mail, by the kind of the text. */
export const HONEST: Readonly<Record<string, readonly Sending[]>> = {
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
  advice: [
    {
      from: 'Sparkasse Waldhof <newsletter@sparkasse-waldhof.de>',
      results: passOf('sparkasse-waldhof.de'),
      headers: ['List-Unsubscribe: <https://news.sparkasse-waldhof.de/u/1>'],
      link: 'https://www.sparkasse-waldhof.de/sicherheit',
    },
    {
      // Brevo signs for itself.
      from: 'Waldhof Bank <info@waldhof-bank.example>',
      results: 'spf=pass smtp.mailfrom=bounces-81@gd.d.sender-sib.com; dkim=pass header.d=sendinblue.com; dmarc=none',
      headers: [
        'Return-Path: <bounces-81@gd.d.sender-sib.com>',
        'List-Unsubscribe: <https://81.r.a.d.sendibm1.com/un/abc>',
      ],
      link: 'https://81.r.a.d.sendibm1.com/mk/cl/f/abcdefghijklmnop',
    },
    {
      from: 'Ruth Adler <ruth@adler-praxis.example>',
      results: null,
      headers: ['List-Id: <sicherheit.lists.waldhof.example>', 'List-Post: <mailto:sicherheit@lists.waldhof.example>'],
      link: 'https://lists.waldhof.example/sympa/info/sicherheit',
      isPlain: true,
    },
    { from: 'Waldhof Bank <info@waldhof-bank.example>', results: null, link: 'https://waldhof-bank.example/news' },
  ],
  renewal: [
    {
      from: 'Trellis Notes <billing@trellis-notes.io>',
      results: passOf('trellis-notes.io'),
      link: 'https://app.trellis-notes.io/billing',
    },
    {
      // Amazon SES, with its own return path and signature.
      from: 'Trellis Notes <billing@trellis-notes.io>',
      results: 'spf=pass smtp.mailfrom=0102@eu-west-1.amazonses.com; dkim=pass header.d=amazonses.com; dmarc=none',
      headers: ['Return-Path: <0102018f-abc@eu-west-1.amazonses.com>'],
      link: 'https://app.trellis-notes.io/billing',
    },
    {
      from: 'Waldhof Zeitung <abo@waldhof-zeitung.example>',
      results: null,
      link: 'https://waldhof-zeitung.example/konto',
      isPlain: true,
    },
  ],
  business: [
    {
      from: 'Petra Lang <p.lang@fensterbau-lang.example>',
      results: 'spf=none smtp.mailfrom=fensterbau-lang.example; dkim=none; dmarc=none',
      link: null,
      isPlain: true,
    },
    {
      from: 'Petra Lang <p.lang@fensterbau-lang.example>',
      results: 'spf=pass smtp.mailfrom=fensterbau-lang.example; dkim=none; dmarc=none',
      link: 'https://www.fensterbau-lang.example/',
      isPlain: true,
    },
    { from: 'Petra Lang <fensterbau.lang@t-online.de>', results: passOf('t-online.de'), link: null, isPlain: true },
    { from: 'Petra Lang <p.lang@fensterbau-lang.example>', results: null, link: null, isPlain: true },
    {
      from: 'Petra Lang <p.lang@fensterbau-lang.example>',
      results: passOf('fensterbau-lang.example'),
      headers: ['Reply-To: <fensterbau.lang@gmail.com>'],
      link: null,
      isPlain: true,
    },
  ],
  jobs: [
    {
      from: 'Waldhof Jobs <alert@waldhof-jobs.example>',
      results: passOf('waldhof-jobs.example'),
      headers: ['List-Unsubscribe: <https://u8432.ct.sendgrid.net/wf/unsubscribe?upn=u001.abcdefghijklmnop>'],
      link: 'https://u8432.ct.sendgrid.net/ls/click?upn=u001.abcdefghijklmnopqrstuvwxyz-2Fabc',
    },
    {
      // Mailgun's shared domain.
      from: 'Waldhof Jobs <alert@waldhof-jobs.example>',
      results: 'spf=pass smtp.mailfrom=mailgun.org; dkim=pass header.d=mailgun.org; dmarc=none',
      headers: ['Return-Path: <bounce+81.abc-maria=example.org@mailgun.org>'],
      link: 'https://waldhof-jobs.example/alert/1',
    },
    { from: 'Waldhof Jobs <alert@waldhof-jobs.example>', results: null, link: 'https://waldhof-jobs.example/alert/1' },
  ],
  private: [
    { from: 'Ruth Adler <ruth.adler61@gmail.com>', results: passOf('gmail.com'), link: null, isPlain: true },
    { from: 'Ruth Adler <ruth@adler-familie.example>', results: null, link: null, isPlain: true },
    {
      // A forwarder breaks SPF.
      from: 'Ruth Adler <ruth@adler-familie.example>',
      results:
        'spf=softfail smtp.mailfrom=adler-familie.example; dkim=pass header.d=adler-familie.example; dmarc=pass header.from=adler-familie.example',
      link: null,
      isPlain: true,
    },
    {
      from: "'Ruth Adler' via Familie <familie@googlegroups.com>",
      results: passOf('googlegroups.com'),
      headers: [
        'Return-Path: <familie+bncBC123@googlegroups.com>',
        'Reply-To: Ruth Adler <ruth@adler-familie.example>',
        'List-ID: <familie.googlegroups.com>',
        'List-Post: <mailto:familie@googlegroups.com>',
      ],
      link: 'https://groups.google.com/d/msgid/familie/1',
      isPlain: true,
    },
    {
      from: 'Ruth Adler <ruth@adler-familie.example>',
      results: 'spf=none smtp.mailfrom=adler-familie.example; dkim=none; dmarc=none',
      link: null,
      isPlain: true,
    },
  ],
};
