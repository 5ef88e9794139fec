import { describe, expect, test } from 'bun:test';
import { isTargetProblem, MAX_URL_LENGTH, parseTarget } from '#src/core/url/target.ts';
import { createRandom } from '#test/support/random.ts';
import { targetOf } from '#test/support/target.ts';
import vectors from '#test/vectors/url-format.json' with { type: 'json' };

const random = createRandom(7);
const UNRESERVED = 'abcXYZ019-._~';

/** The same URL in another spelling: case of host and escapes, default port, fragment, dot segments, needless escapes. */
function respell(scheme: string, host: string, path: string): string {
  const escapeSome = (text: string) =>
    text.replace(/[A-Za-z0-9\-._~]/g, (c) => {
      if (random.below(4) > 0 || c === '.') return c;
      const hex = c.charCodeAt(0).toString(16);
      return `%${random.below(2) === 0 ? hex : hex.toUpperCase()}`;
    });
  const upper = [...host].map((c) => (random.below(2) === 0 ? c.toUpperCase() : c)).join('');
  const port = random.below(2) === 0 ? '' : scheme === 'http' ? ':80' : ':443';
  const dots = random.pick(['', '/.', '/x/..', '/%2e', '/y/%2E.']);
  const fragment = random.pick(['', '#', '#top', '#a?b/c']);
  return `${random.pick([scheme, scheme.toUpperCase()])}://${upper}${port}${dots}${escapeSome(path)}${fragment}`;
}

describe('a target', () => {
  test('is equal for every spelling of a URL, except for its input', () => {
    for (let i = 0; i < 3000; i++) {
      const scheme = random.pick(['http', 'https']);
      const host = random.pick([
        'example.com',
        'a.b.example.co.uk',
        'user.github.io',
        '192.0.2.7',
        'xn--bcher-kva.example',
      ]);
      const path = `/${Array.from({ length: random.below(4) }, () => `a${random.text(6, UNRESERVED)}z`).join('/')}`;
      const { input: _, ...plain } = targetOf(`${scheme}://${host}${path}`);
      const spelling = respell(scheme, host, path);
      const { input, ...other } = targetOf(spelling);
      expect(input).toBe(spelling);
      expect({ spelling, ...other }).toEqual({ spelling, ...plain });
    }
  });

  test('of a canonical URL keeps that URL', () => {
    for (let i = 0; i < 3000; i++) {
      const text = `http://${random.text(12, 'ab.-1')}example.com/${random.text(20, 'a%2E0f/.?&=\\ ü"')}`;
      const first = parseTarget(text);
      if (isTargetProblem(first)) continue;
      expect(targetOf(first.url).url).toBe(first.url);
    }
  });

  test('keeps reserved characters escaped if unescaping would change the URL', () => {
    expect(targetOf('http://example.com/a%2Fb%2525?q=%26%3d').url).toBe('http://example.com/a%2Fb%2525?q=%26%3D');
  });

  test('masks the password, and its request URL has no credentials', () => {
    const { url, requestUrl, username, hasPassword } = targetOf('http://paypal.com:secret@evil.example/x');
    expect({ url, requestUrl, username, hasPassword }).toEqual({
      url: 'http://paypal.com:***@evil.example/x',
      requestUrl: 'http://evil.example/x',
      username: 'paypal.com',
      hasPassword: true,
    });
  });
});

describe('parsing', () => {
  test('accepts exactly the URLs that the vectors accept', () => {
    for (const { id, input, status } of vectors.vectors) {
      const limit = id.startsWith('uf-') && String(input).length > 2048 && String(input).length <= MAX_URL_LENGTH;
      // The vectors limit a URL to 2,048 characters, the product to 8,192.
      const expected = limit ? 200 : status;
      const result = typeof input === 'string' ? parseTarget(input) : null;
      expect([id, result === null || isTargetProblem(result) ? 400 : 200]).toEqual([id, expected]);
    }
  });

  test('rejects an invalid URL with a message that names what is expected', () => {
    const message = (input: string) => {
      const result = parseTarget(input);
      return isTargetProblem(result) ? result.message : '';
    };
    expect(message('example.com')).toContain('https://example.com/');
    expect(message('ftp://example.com/')).toContain('http:// or https://');
    expect(message('http://')).toContain('must name a host');
    expect(message(' ')).toContain('must not be empty');
    expect(message(`http://example.com/${'a'.repeat(MAX_URL_LENGTH)}`)).toContain(`at most ${MAX_URL_LENGTH}`);
  });

  test('never throws, for any text', () => {
    for (let i = 0; i < 5000; i++) parseTarget(random.text(40, 'htps:/@[].%?#\\ \u0000\ud800ü1a-'));
  });
});

test.each([
  ['hxxps://evil[.]example/a', 'looks defanged: write https://evil.example/a'],
  ['https://evil[.]example/a[.]b', 'looks defanged: write https://evil.example/a.b'],
  ['hxxp://evil.example', 'looks defanged: write http://evil.example/'],
  ['evil[.]example', 'looks defanged: write http://evil.example/'],
  ['hxxp://me:secret@evil.example', 'looks defanged: write it with http:// or https:// and plain dots'],
  [`hxxp://evil.example/${'x'.repeat(200)}`, 'looks defanged: write it with http:// or https:// and plain dots'],
])('refuses %s, which is defanged, and says what to write', (input, message) => {
  expect(parseTarget(input)).toEqual({ code: 'invalid_url', message });
});
