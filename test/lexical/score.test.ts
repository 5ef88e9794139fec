import { describe, expect, test } from 'bun:test';
import { loadLexicalModel } from '#src/lexical/model.ts';
import { scoreUrl } from '#src/lexical/score.ts';
import { isTargetProblem, parseTarget } from '#src/url/target.ts';

const model = loadLexicalModel(await Bun.file(new URL('../../src/models/lexical.bin', import.meta.url)).bytes());

function terms(url: string) {
  const target = parseTarget(url);
  if (isTargetProblem(target)) throw new Error(`${url}: ${target.message}`);
  return scoreUrl(model, target);
}

describe('the terms of a URL', () => {
  test.each([
    [
      'https://example.com/a/b?c=d',
      [
        'http://example.com/a/b?c=d',
        'https://EXAMPLE.com/a/b?c=d',
        'https://www.example.com/a/b?c=d',
        'https://example.com:443/a/b?c=d',
        'http://example.com:80/a/b?c=d',
        'https://example.com/%61/b?%63=d',
        'https://example.com/a/./b?c=d',
        'https://example.com/x/../a/b?c=d',
        'https://example.com/a/b?c=d#e',
        'https://example.com./a/b?c=d',
      ],
    ],
    [
      'https://someone.github.io',
      ['https://someone.github.io/', 'https://www.someone.github.io', 'https://%73omeone.github.io'],
    ],
    ['https://www.github.io', ['https://github.io/', 'http://www.github.io:80/?#x']],
  ])('are the same for every spelling of %s', (url, spellings) => {
    for (const spelling of spellings) expect(terms(spelling), spelling).toEqual(terms(url));
  });

  test('are finite and few for whatever a URL may hold', () => {
    const odd = [
      'http://1.2.3.4:8081/login.php',
      'http://[2001:db8::1]/',
      'https://user:secret@example.com/',
      `https://${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.com/${'x/'.repeat(2000)}?${'&'.repeat(3000)}`,
      'https://localhost/',
      'https://a..b/',
      'https://xn--pple-43d.com/',
      'https://com/',
      'https://co.uk/',
      `https://example.com/?${'%F0%9F%8E%A3'.repeat(500)}`,
    ];
    for (const url of odd) {
      const found = terms(url);
      expect(found.length, url).toBeLessThanOrEqual(12);
      for (const { code, message, logOdds } of found) {
        expect(Number.isFinite(logOdds), `${url} ${code}`).toBe(true);
        expect(message.length, `${url} ${code}`).toBeGreaterThan(0);
        expect(code).toMatch(/^url\.[a-z_]+$/);
      }
    }
  });
});
