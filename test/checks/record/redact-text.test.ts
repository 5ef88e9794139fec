import { describe, expect, test } from 'bun:test';
import { type Severity, startMasking } from '#src/checks/record/redact/mask.ts';
import { redactText, redactUrl } from '#src/checks/record/redact/redact-text.ts';

/** What a text has to become: what stands in brackets is masked, and nothing else. */
const masked = (marked: string) => marked.replace(/⟦[^⟧]*⟧/g, '***');
const plain = (marked: string) => marked.replace(/[⟦⟧]/g, '');

function redacted(redact: typeof redactText, marked: string, severity: Severity) {
  const masking = startMasking(severity);
  const text = redact(plain(marked), masking);
  return { text, secrets: [...masking.secrets] };
}

const secretsOf = (marked: string) => [...new Set([...marked.matchAll(/⟦([^⟧]*)⟧/g)].map(([, secret = '']) => secret))];

const WITH_PASSWORDS = [
  'x https://jane:⟦pw⟧@a.example/ y',
  "https://a.example/x 'pin=⟦2⟧' `a=1`",
  'HTTPS:\\\\jane:⟦pw⟧@a.example\\b',
  '{"a":"b","password":"⟦x y⟧"} a=b',
];

const WITH_SECRETS = [
  'see http://a.example/?token=⟦abc⟧ and more',
  'go=HTTPS://a.example/?token=⟦abc⟧',
  'token=⟦https://a.example/b⟧',
  'x&token=⟦https://a.example/b?c⟧',
  'say "token" : "⟦abc def⟧" and "page":"7" then',
  'token=⟦abc⟧ {"a":"b","token":"⟦x y⟧"} token=⟦abc⟧',
  '{"next":"https://a.example/?token=⟦abc⟧"}',
  'a<b>token=⟦abc⟧</b>',
  '⟦jane@mail.example⟧ wrote to ⟦joe@mail.example⟧',
];

const URLS_WITH_PASSWORDS = [
  'https://jane:⟦a:b⟧@a.example/',
  'https://jane:⟦a@b⟧@a.example/',
  'https://a.example/go/HTTP:/jane:⟦pw⟧@other.example/x',
  'https://a.example/go/http://jane:⟦pw⟧@other.example/x',
  'https://a.example/go/Jane:⟦pw⟧@other.example',
  'https://a.example/go/:⟦pw⟧@other.example',
  'https://a.example/?password=⟦null⟧',
  'https://a.example/?q=%22password%22%3A%22⟦abc⟧%22',
];

const URLS_WITH_SECRETS = [
  'https://⟦4f1c9a0e7b3d8a2157be60c1⟧@a.example/',
  'https://⟦jane%40x⟧@a.example/',
  'https://a.example/⟦(S(lit3py55t21z5v55vlm25s55))⟧/x',
  'https://a.example/⟦(A(abcdefghi))⟧/x',
  'https://a.example/personal/⟦jane_doe_company_com⟧/x',
  'https://a.example/⟦9f86d081884c7d659a2feaa0c55ad015.exe⟧',
  'https://a.example/a#⟦b⟧',
  'https://a.example/key/⟦a1b2c3d4e5⟧',
  'https://a.example/reset/⟦commit⟧/⟦9f86d081884c7d659a2feaa0c55ad015⟧',
  'https://a.example/reset/⟦4711⟧/abcdefgh/swordfish',
  'https://a.example/reset/⟦swordfish⟧/blog/swordfish',
  'https://a.example/reset/v2/⟦swordfish⟧',
  'https://a.example/reset/password/⟦swordfish⟧',
  'https://a.example/?a=token=⟦abc⟧',
  'https://a.example/?token=⟦abc=def⟧&x=1',
  'https://a.example/?code=⟦ab12⟧',
  'https://a.example/?code=⟦abcdefghijklmnop⟧',
  'https://a.example/?c=⟦123456⟧',
  'https://a.example/?client_id=⟦jane@mail.example⟧',
  'https://a.example/?⟦jane@mail.example⟧=1',
  '//a.example/?token=⟦abc⟧',
  'https://a.example/?q=%22token%22%3A%22⟦abc⟧%22',
];

const WITHOUT = ['plain words', 'a=b', 'next=https://a.example/b?c', '"page" : "7"', ''];

const URLS_WITHOUT = [
  'https://paypal.com@a.example/',
  'https://a.example/go/a:@other.example',
  'https://a.example/mailto:@other',
  'https://a.example/(S(lit3))x/y',
  'https://a.example/(s(lit3abc))/x',
  'https://a.example/personal/documents/x',
  'https://a.example/people/jane_doe_company_com/x',
  'https://a.example/9F86D081884C7D659A2FEAA0C55AD015.JPG',
  'https://a.example/a#',
  'https://a.example/key/summer',
  'https://a.example/x/y/a1b2c3d4e5',
  'https://a.example/?token=',
  'https://a.example/?token=null',
  'https://a.example/?password=yes',
  'https://a.example/?password=NO',
  'https://a.example/?token=NULL',
  'https://a.example/?code=ab1',
  'https://a.example/?code=summertime',
  'https://a.example/?c=12345',
  'https://a.example/?key=123456',
  'https://a.example/?client_id=4f1c9a0e7b3d8a2157be60c1',
  'https://a.example/?q=a%20b',
];

for (const [what, redact, withPasswords, withSecrets, without] of [
  ['text', redactText, WITH_PASSWORDS, WITH_SECRETS, WITHOUT],
  ['URL', redactUrl, URLS_WITH_PASSWORDS, URLS_WITH_SECRETS, URLS_WITHOUT],
] as const) {
  describe(`in a ${what}`, () => {
    test.each(withPasswords)('passwords are masked in both logs: %s', (marked) => {
      for (const severity of ['passwords', 'secrets'] as const) {
        expect(redacted(redact, marked, severity)).toEqual({ text: masked(marked), secrets: secretsOf(marked) });
      }
    });

    test.each(withSecrets)('other secrets are masked in the public log only: %s', (marked) => {
      expect(redacted(redact, marked, 'secrets')).toEqual({ text: masked(marked), secrets: secretsOf(marked) });
      expect(redacted(redact, marked, 'passwords')).toEqual({ text: plain(marked), secrets: [] });
    });

    test.each(without)('everything else is unchanged: %j', (text) => {
      expect(redacted(redact, text, 'secrets')).toEqual({ text, secrets: [] });
    });
  });
}

test('an announcement is evaluated the same before and after masking', () => {
  for (const url of ['https://a.example/x/***/⟦a1b2c3d4e5⟧', 'https://a.example/x/***;v=1/⟦a1b2c3d4e5⟧']) {
    expect(redacted(redactUrl, url, 'secrets').text).toBe(masked(url));
  }
});

test('a secret after a masked name is masked too', () => {
  for (const url of [
    'https://a.example/?⟦password@mail.example⟧=⟦hunter⟧',
    'https://a.example/?⟦token@mail.example⟧=⟦x⟧',
  ]) {
    expect(redacted(redactUrl, url, 'secrets').text).toBe(masked(url));
  }
});

test('masks text that is not a URL completely', () => {
  expect(redacted(redactUrl, '⟦no url⟧', 'passwords')).toEqual({ text: '***', secrets: ['no url'] });
});

test('scans nested URLs at any depth', () => {
  const nested = (depth: number, url: string): string =>
    depth === 0 ? url : nested(depth - 1, `{"u":"https://a.example/?n=${encodeURIComponent(url)}"}`);
  const ordinary = nested(2, 'https://a.example/?q=summer%20holidays');
  expect(redacted(redactText, ordinary, 'secrets').text).toBe(ordinary);
  for (let depth = 0; depth < 12; depth++) {
    const { text } = redacted(redactText, nested(depth, 'https://a.example/?token=swordfish'), 'secrets');
    expect(text).not.toContain('swordfish');
  }
});
