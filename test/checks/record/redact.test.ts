import { describe, expect, test } from 'bun:test';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { maskResult } from '#src/checks/record/redact/redact-result.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import { createRandom, type Random } from '#test/support/random.ts';
import { sampleCheck } from '#test/support/sample-record.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

/** URLs with the secret at every kind of place; `{}` stands for it. */
const PLACES = [
  'https://example.com/reset?token={}',
  'https://example.com/?a=1&access_token={}&b=2',
  'https://example.com/?a=1;sessionid={}',
  'https://example.com/?X-Amz-Signature={}',
  'https://example.com/?userEmail={}',
  'https://example.com/?API_KEY={}#top',
  'https://example.com/?resettoken={}',
  'https://example.com/?accessToken={}',
  'https://example.com/?user%5Bpassword%5D={}',
  'https://example.com/?%74oken={}',
  'https://example.com/a;jsessionid={}/b',
  'https://example.com/otp/{}',
  'https://example.com/account/verify/{}/now',
  'https://example.com/#access_token={}',
  'https://example.com/#{}',
  'https://example.com/?next=https%3A%2F%2Fother.example%2F%3Fcode%3D{}',
  'https://example.com/?next=https%253A%252F%252Fother.example%252F%253Fcode%253D{}',
  'https://example.com/go/https://other.example/?code={}',
  'https://jane:{}@example.com/',
  'https://example.com/go/http://jane:{}@other.example/',
  'https://example.com/go/http:/jane:{}@other.example/',
  'https://example.com/?next=//jane:{}@other.example/',
  'https://example.com/?data=%7B%22token%22%3A%22{}%22%7D',
];

/** Values that are secrets wherever they stand. */
const LOUD_PLACES = [
  'https://example.com/{}',
  'https://example.com/a/{}/b',
  'https://example.com/?{}',
  'https://example.com/?q={}',
];
const LOUD = [
  JWT,
  '4f1c9a0e7b3d8a2157be60c1',
  '0f9d1f9e-3a41-4a1c-9f0e-3b1a3f3c9d11',
  'jane.doe@mail.example',
  'jane.doe%40mail.example',
  'amFuZS5kb2VAbWFpbC5leGFtcGxl',
  '4111111111111111',
];

const resultOf = (url: string, details: object = {}, result: object = {}): CheckResult =>
  sampleCheck({ url, details, result }).result;

/** The URL as the public log has it. */
const publicUrl = (url: string) => maskResult(resultOf(url), 'public').stored.analysis_details.normalized_url;

/** A result in which the page repeats the secret wherever it can. */
function echoing(url: string, secret: string): CheckResult {
  const { analysis_details } = resultOf(url);
  return resultOf(url, {
    final_url: url,
    redirects: [{ url, status: 302, location: `https://next.example/${secret}?x=${secret}`, address: '192.0.2.1' }],
    unwrapped_urls: [`https://inner.example/?y=${secret}`],
    page: { title: `Welcome, ${secret}!`, forms: [{ action: url, method: 'post', fields: [] }] },
    counterfactual: `Without ${secret} it would be allow.`,
    reasons: [
      ...analysis_details.reasons,
      { component: 'page', code: 'page.title', message: `The page says "${secret}"`, args: {}, weight: 0 },
    ],
  });
}

describe('in the public log', () => {
  for (const place of PLACES) {
    test(`no byte of a secret remains of ${place}`, () => {
      const url = place.replace('{}', 'hunter2-4711');
      expect(JSON.stringify(maskResult(echoing(url, 'hunter2-4711'), 'public').stored)).not.toContain('hunter2');
    });
  }

  for (const place of LOUD_PLACES) {
    test.each(LOUD)(`${place} does not contain %s`, (secret) => {
      const url = place.replace('{}', secret);
      const text = JSON.stringify(maskResult(echoing(url, decodeURIComponent(secret)), 'public').stored);
      expect(text).not.toContain(secret);
      expect(text).not.toContain(decodeURIComponent(secret));
    });
  }

  test.each([
    'https://www.example.com/summer-holidays-2024/a-guide-to-internationalization.html?page=2&lang=de',
    'https://de.wikipedia.org/wiki/Phishing?action=history&offset=20240131',
    'https://github.com/oven-sh/bun/blob/main/src/bun.js/api/server.ts',
    'http://[2001:db8::1]:8080/a/b',
    'https://books.example/9784873114828/formal-verification-tools/2021?countryCode=AU&ts=1549980827924',
  ])('%s is unchanged', (url) => {
    const result = resultOf(url);
    expect<CheckResult>(maskResult(result, 'public').stored).toEqual(result);
  });

  test('an e-mail address in front of the @ is masked, and a host name there is not', () => {
    expect(publicUrl('https://jane%40mail.example@evil.example/')).toBe('https://***@evil.example/');
    expect(publicUrl('https://paypal.com@evil.example/')).toBe('https://paypal.com@evil.example/');
  });

  test('fixed words of a record are unchanged, even if a secret is equal to them', () => {
    const result = resultOf('https://example.com/?token=allow&otp=disabled&pin=https');
    const redacted = maskResult(result, 'public').stored;
    expect(redacted.decision).toBe('allow');
    expect(redacted.analysis_details.unavailable).toEqual(result.analysis_details.unavailable);
    expect(redacted.analysis_details.normalized_url).toBe('https://example.com/?token=***&otp=***&pin=***');
  });
});

describe('in the private log', () => {
  test.each(PLACES.filter((place) => place.includes('jane')))('the password of %s is masked', (place) => {
    const url = place.replace('{}', 'hunter2-4711');
    expect(JSON.stringify(maskResult(echoing(url, 'hunter2-4711'), 'private').stored)).not.toContain('hunter2');
  });

  test('everything else is unchanged', () => {
    const result = resultOf(`https://Example.com/?token=${JWT}&email=jane@mail.example#top`);
    expect<CheckResult>(maskResult(result, 'private').stored).toEqual(result);
  });
});

describe('in general', () => {
  test('redacted URLs are valid, have the same host, and are unchanged by a second redaction', () => {
    const random = createRandom(20260131);
    for (let round = 0; round < 5000; round++) {
      const url = randomUrl(random);
      const target = parseTarget(url);
      if (isTargetProblem(target)) continue;
      const once = publicUrl(target.url);
      const again = parseTarget(once);
      expect(isTargetProblem(again) ? `${url} gave ${once}` : again.host.text).toBe(target.host.text);
      expect(publicUrl(once)).toBe(once);
    }
  });

  test('a URL full of secrets, on a page full of texts, takes less than 500 ms and reveals none', () => {
    const url = `https://example.com/?${Array.from({ length: 500 }, (_, i) => `token=ab${i}cd`).join('&')}`;
    const action = `https://other.example/${'a/b?c=d&'.repeat(300)}ab7cd`;
    const forms = Array.from({ length: 100 }, (_, i) => ({ action: `${action}${i}`, method: 'post', fields: [] }));
    const redact = () => maskResult(resultOf(url, { page: { title: 'ab7cd', forms } }), 'public').stored;
    expect(cpuMs(redact, 500)).toBeLessThan(500);
    const redacted = redact();
    expect(JSON.stringify(redacted)).not.toMatch(/ab\d+cd/);
    expect(redacted.analysis_details.normalized_url).toStartWith('https://example.com/');
    expect(maskResult(redacted, 'public').stored).toEqual(redacted);
  });

  test('a hostile URL takes less than 500 ms', () => {
    for (const unit of [
      '%25',
      '@',
      'a@b.c',
      'a=',
      '&token=ab12',
      '":"',
      'x://',
      '/otp/1a',
      'eyJ',
      'a.',
      ':',
      '%40',
      ';a',
    ]) {
      const url = `https://example.com/?${unit.repeat(8000 / unit.length)}`;
      expect(cpuMs(() => maskResult(echoing(url, 'hunter2'), 'public').stored, 500)).toBeLessThan(500);
    }
  });
});

test('the answer to a check is the same for both logs', () => {
  const random = createRandom(20261122);
  for (let i = 0; i < 2000; i++) {
    const result = resultOf(randomUrl(random));
    expect(maskResult(result, 'public').answer).toEqual(maskResult(result, 'private').answer);
  }
});

const PIECES = [
  'token',
  'email',
  'page',
  '=',
  '&',
  ';',
  '/',
  '?',
  '#',
  '%',
  '%25',
  '%40',
  '@',
  ':',
  '//',
  'https:',
  'a',
  '1',
  JWT,
  '"',
  '***',
  'jane@mail.example',
  '4f1c9a0e7b3d8a2157be60c1',
  '%3D',
  '%2526',
  '.',
  'x-y',
  ' ',
  'é',
  '%ff',
  '{"token":"abc"}',
  '+',
  'otp',
];

function randomUrl(random: Random): string {
  const tail = Array.from({ length: random.below(14) }, () => random.pick(PIECES)).join('');
  return `https://${random.pick(['', 'jane@', 'jane:pw@', 'a%40b.cc:x@'])}www.example.com/${tail}`;
}

test('the secret of a fragment is masked where plain words repeat it', () => {
  const details = { page: { title: 'Welcome back hunter2-4711', forms: [] } };
  const { stored } = maskResult(resultOf('https://site.example/#token=hunter2-4711', details), 'public');
  expect(JSON.stringify(stored)).not.toContain('hunter2');
});
