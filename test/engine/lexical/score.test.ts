import { describe, expect, test } from 'bun:test';
import { createEvaluation, evaluateParts, maximumTotal, totalOf } from '#src/engine/lexical/evaluate-url.ts';
import { calibratedLogOdds } from '#src/engine/lexical/model.ts';
import { scoreUrl } from '#src/engine/lexical/score.ts';
import { partsOf } from '#src/engine/lexical/url-parts.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import { said } from '#test/support/said.ts';
import { targetOf } from '#test/support/target.ts';
import { goldenUrls } from './golden-urls.ts';
import { model } from './open-model.ts';

const terms = (url: string) => scoreUrl(model, targetOf(url));

const ODD_URLS = [
  'http://1.2.3.4:8081/login.php',
  'http://[2001:db8::1]/',
  'https://user:secret@example.com/',
  `https://${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.com/${'x/'.repeat(2000)}?${'&'.repeat(3000)}`,
  'https://localhost/',
  'https://a..b/',
  'https://xn--pple-43d.com/',
  'https://com/',
  'https://co.uk/',
  'https://github.io/',
  'https://www.com/',
  'https://www.www.www.com/',
  `https://example.com/?${'%F0%9F%8E%A3'.repeat(500)}`,
  `https://example.com/${'-'.repeat(4000)}`,
  `https://${'1-'.repeat(30)}1.com/${'%2F'.repeat(900)}`,
];

describe('the terms of a URL', () => {
  test('are the same for every spelling of it', () => {
    for (const url of goldenUrls) {
      const { host, pathname, search, username } = new URL(url);
      if (username !== '' || host.includes(':')) continue;
      const rest = `${pathname}${search}`;
      const spellings = [
        `http://${host}${rest}`,
        `https://${host}${rest}`,
        `https://${host.toUpperCase()}${rest}`,
        `https://${host}:443${rest}`,
        `http://${host}:80${rest}`,
        `https://${host}.${rest}`,
        `https://${host}${rest}#fragment`,
        `https://${host}/x/..${rest}`,
        `https://${host}/.${rest}`,
        `https://${host}${escapeFirstLetter(pathname)}${search}`,
        `https://%${host.charCodeAt(0).toString(16)}${host.slice(1)}${rest}`,
      ];
      if (/^[a-z]/.test(host) && !host.startsWith('www.')) spellings.push(`https://www.${host}${rest}`);
      const expected = terms(url);
      for (const spelling of spellings) expect(terms(spelling), spelling).toEqual(expected);
    }
  });

  test('add up to the output of the model, in at most twelve terms', () => {
    for (const url of [...goldenUrls, ...ODD_URLS]) {
      const found = terms(url);
      const evaluation = createEvaluation();
      const limit = maximumTotal(model, targetOf(url), evaluation);
      evaluateParts(model, partsOf(targetOf(url), model.knowledge), evaluation);
      const whole = calibratedLogOdds(model, Math.min(totalOf(evaluation), limit));
      const sum = found.reduce((total, { logOdds }) => total + logOdds, 0);
      expect(Math.abs(sum - whole), url).toBeLessThan(1e-9);
      expect(found.length, url).toBeLessThanOrEqual(12);
    }
  });

  test('are finite and have a sentence and a stable code for any URL', () => {
    for (const url of [...goldenUrls, ...ODD_URLS]) {
      for (const term of terms(url)) {
        const { code, logOdds } = term;
        expect(Number.isFinite(logOdds), `${url} ${code}`).toBe(true);
        expect(said(term).length, `${url} ${code}`).toBeGreaterThan(10);
        expect(said(term).length, `${url} ${code}`).toBeLessThan(240);
        expect(code).toMatch(/^url\.[a-z_]+$/);
      }
    }
  });

  test('never lower the score for a brand, an address, a platform or a word such as login', () => {
    const SPEAK_AGAINST_ALONE = new Set(['url.address', 'url.platform', 'url.login_words']);
    const codes = new Set<string>();
    for (const url of [...goldenUrls, ...ODD_URLS]) {
      for (const term of terms(url)) {
        const { code, logOdds } = term;
        codes.add(code);
        if (logOdds > 0) continue;
        expect(SPEAK_AGAINST_ALONE.has(code), `${url} ${code} ${logOdds}`).toBe(false);
        expect(said(term), url).not.toContain('IP address');
      }
    }
    // The evidence on brands says it, once.
    expect(codes).not.toContain('url.brand');
  });

  test('do not depend on URLs scored before', () => {
    const alone = terms('https://example.com/');
    terms(ODD_URLS[3] ?? '');
    expect(terms('https://example.com/')).toEqual(alone);
  });

  test('are computed in bounded time for the longest URL', () => {
    const url = `https://${'a-'.repeat(31)}a.com/${'paypal1/'.repeat(900)}`;
    expect(cpuMs(() => terms(url), 20, 100)).toBeLessThan(20);
  });
});

function escapeFirstLetter(path: string): string {
  return path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
}

test('the path of a sign-in page raises the score of its host by no more than two before calibration', () => {
  const straight = { ...model, slope: 1, offset: 0, curve: 0 };
  const total = (url: string) => scoreUrl(straight, targetOf(url)).reduce((sum, { logOdds }) => sum + logOdds, 0);
  const paths = ['login', '?_task=login', 'giris', 'index.php?route=account/login', 'owa/auth/logon.aspx'];
  let raised = 0;
  for (const host of [
    'mail.brotfabrik-zeil.de',
    'b2b.hurtownia-kabli.pl',
    'randevu.ozel-hastanesi.com.tr',
    'qx71-kk.top',
  ]) {
    for (const path of paths) {
      const excess = total(`${host}/${path}`) - total(host);
      expect(excess, `${host}/${path}`).toBeLessThan(2 + 1e-9);
      if (excess > 2 - 1e-9) raised++;
    }
    expect(total(`${host}/wp-content/login/verify.php`)).toBeGreaterThan(total(host));
  }
  expect(raised).toBeGreaterThan(0);
});
