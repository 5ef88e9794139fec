/** A sign-in page by its parts, from which copies are made. */
export interface Portal {
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly labels: readonly [user: string, password: string];
  readonly button: string;
  readonly css: string;
  /** Markup of the logo. */
  readonly logo: string;
  /** Elements around the form: `LOGO`, `FORM` and `TEXT` stand for theirs. */
  readonly body: string;
}

const logo = (colour: string, shape: string, size = 96) =>
  `<svg class=logo width=${size} height=${size} viewBox="0 0 32 32"><rect width=32 height=32 rx=6 fill="${colour}"/>${shape}</svg>`;

/** Sign-in pages of invented organisations, each designed in another way. */
export const PORTALS: readonly Portal[] = [
  {
    title: 'Nordwerk sign-on',
    heading: 'Welcome to Nordwerk',
    text: 'Sign in with your staff number and the password of your desk computer.',
    labels: ['Staff number', 'Password'],
    button: 'Sign in',
    logo: logo('#0b5d3b', '<path d="M8 24V8l16 16V8" stroke="#fff" stroke-width="3" fill="none"/>'),
    css: 'body{margin:0;font:16px sans-serif;background:#eef3f0}header{background:#0b5d3b;color:#fff;padding:18px 40px;height:48px}main{display:flex;gap:80px;max-width:1040px;margin:70px auto}.card{background:#fff;padding:36px;width:380px;box-shadow:0 2px 8px #0003}input{display:block;width:356px;height:34px;margin:6px 0 20px;padding:4px 10px;border:1px solid #889}button{background:#0b5d3b;color:#fff;border:0;padding:12px 34px;font-size:16px}aside{width:420px}',
    body: '<header><b>HEADING</b></header><main><aside>LOGO<h1>HEADING</h1><p>TEXT</p></aside><div class=card>FORM</div></main>',
  },
  {
    title: 'Halden Bank',
    heading: 'Log on to your accounts',
    text: 'Your session ends after ten minutes without a click.',
    labels: ['Customer number', 'PIN'],
    button: 'Log on',
    logo: logo('#8a1538', '<circle cx=16 cy=16 r=8 fill="#fff"/>', 72),
    css: 'body{margin:0;font:15px serif;background:#fff}.left{position:absolute;left:0;top:0;width:470px;height:800px;background:#8a1538;color:#fff}.left *{margin:40px}.form{position:absolute;left:610px;top:210px;width:430px}input{display:block;width:400px;height:44px;margin:8px 0 26px;border:0;border-bottom:2px solid #8a1538;background:#f6eff1;padding:0 14px}button{width:430px;height:50px;border:0;background:#8a1538;color:#fff;border-radius:25px}',
    body: '<div class=left>LOGO<h1>HEADING</h1><p>TEXT</p></div><div class=form>FORM</div>',
  },
  {
    title: 'Westkreis Klinikum',
    heading: 'Anmeldung für Mitarbeitende',
    text: 'Bei Fragen hilft die IT-Zentrale in Haus 4 unter der Nummer 4711.',
    labels: ['Kennung', 'Kennwort'],
    button: 'Anmelden',
    logo: logo('#1667b7', '<path d="M13 6h6v7h7v6h-7v7h-6v-7H6v-6h7z" fill="#fff"/>', 64),
    css: 'body{margin:0;font:14px sans-serif;background:#dfe9f4}.top{background:#fff;border-bottom:4px solid #1667b7;height:90px;padding:13px 60px}.top h1{display:inline-block;margin:14px 30px;vertical-align:top}.box{width:640px;margin:60px auto;background:#fff;border:1px solid #9bb6d3;padding:30px 40px}label{display:inline-block;width:160px}input{width:420px;height:28px;margin:10px 0;border:1px solid #9bb6d3}button{margin:18px 0 0 165px;height:34px;width:140px;background:#1667b7;color:#fff;border:1px solid #0d4f8f}footer{position:absolute;bottom:0;width:100%;height:60px;background:#1667b7}',
    body: '<div class=top>LOGO<h1>HEADING</h1></div><div class=box><p>TEXT</p>FORM</div><footer></footer>',
  },
  {
    title: 'Fjordkraft Mail',
    heading: 'Webmail',
    text: 'New: your calendar is now beside your mail.',
    labels: ['E-mail address', 'Password'],
    button: 'Continue',
    logo: logo('#f08a24', '<path d="M5 9h22v14H5z M5 9l11 9 11-9" fill="none" stroke="#fff" stroke-width="2"/>', 120),
    css: 'body{margin:0;font:16px sans-serif;background:#2b2f4a;color:#fff;text-align:center}.mid{width:460px;margin:56px auto 0}form{background:#3a3f63;border-radius:14px;padding:34px 30px}label{display:none}input{width:388px;height:48px;margin:0 0 14px;border:0;border-radius:6px;padding:0 6px;font-size:17px}button{width:400px;height:48px;border:0;border-radius:6px;background:#f08a24;color:#fff;font-size:18px}',
    body: '<div class=mid>LOGO<h1>HEADING</h1>FORM<p>TEXT</p></div>',
  },
  {
    title: 'Gemeinde Oberau',
    heading: 'Bürgerkonto',
    text: 'Für Anträge, Termine und Gebühren der Gemeinde.',
    labels: ['Benutzername', 'Passwort'],
    button: 'Weiter',
    logo: logo('#c7a008', '<path d="M16 4l12 22H4z" fill="#fff"/>', 56),
    css: 'body{margin:0;font:17px sans-serif;background:#fffdf4}nav{float:left;width:230px;height:800px;background:#f3e9c0;padding:20px}nav a{display:block;padding:10px 0;color:#665}section{margin-left:330px;padding-top:36px;width:760px}fieldset{border:1px solid #c7a008;padding:24px}input{width:300px;height:36px;margin:4px 20px 4px 0;border:1px solid #998}label{display:block;margin-top:8px}button{height:42px;width:160px;margin-top:20px;background:#c7a008;border:0}',
    body: '<nav>LOGO<a>Start</a><a>Anträge</a><a>Termine</a><a>Gebühren</a><a>Hilfe</a></nav><section><h1>HEADING</h1><p>TEXT</p><fieldset>FORM</fieldset></section>',
  },
];

/** Returns a portal as HTML. */
export function portalPage({ title, heading, text, labels, button, css, logo: mark, body }: Portal, more = ''): string {
  const [user, password] = labels;
  const form = `<form action=/in method=post><label>${user}</label><input name=u placeholder="${user}"><label>${password}</label><input type=password name=p placeholder="${password}"><button>${button}</button></form>`;
  const shown = body.replaceAll('HEADING', heading).replace('TEXT', text).replace('FORM', form).replace('LOGO', mark);
  return `<!doctype html><meta charset=utf-8><title>${title}</title><style>${css}${more}</style>${shown}`;
}

/** Changes that the makers of copies make, by what they do; each returns a page that looks much like the portal. */
export const DISGUISES: Readonly<Record<string, (portal: Portal) => string>> = {
  unchanged: (portal) => portalPage(portal),
  'other words': (portal) =>
    portalPage({
      ...portal,
      title: 'Secure access',
      heading: 'Verify your identity',
      text: 'Your mailbox has reached its limit: confirm your details within 24 hours to keep it.',
      labels: ['Username or e-mail', 'Current password'],
      button: 'Verify now',
    }),
  'moved logo': (portal) => portalPage(portal, '.logo{position:absolute;right:30px;top:20px;transform:scale(.8)}'),
  'without logo': (portal) => portalPage({ ...portal, logo: '' }),
  recoloured: (portal) => portalPage(portal, 'html{filter:hue-rotate(150deg)}'),
  dark: (portal) => portalPage(portal, 'html{background:#fff;filter:invert(1)}'),
  'cropped above': (portal) => portalPage(portal, 'body{margin-top:-46px!important}'),
  'cropped left': (portal) => portalPage(portal, 'body{margin-left:-40px!important;width:1280px}'),
  'with a banner above': (portal) =>
    portalPage({
      ...portal,
      body: `<div style="height:52px;background:#fbe3a0"></div><div style="position:relative">${portal.body}</div>`,
    }),
  'enlarged a little': (portal) => portalPage(portal, 'html{zoom:1.05}'),
  'other font': (portal) => portalPage(portal, '*{font-family:monospace!important}'),
  'recoloured, with other words': (portal) =>
    portalPage(
      { ...portal, heading: 'Account review', text: 'Unusual activity was found on your account.', button: 'Next' },
      'html{filter:hue-rotate(220deg) saturate(1.4)}',
    ),
};
