import { expect, test } from 'bun:test';
import type { HostParts } from '#src/checks/record/check-result.ts';
import { describeHost } from '#src/checks/record/describe-check.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';

function partsOf(url: string): HostParts {
  const target = parseTarget(url);
  if (isTargetProblem(target)) throw new Error(target.message);
  return describeHost(target.host);
}

test('the subdomain and the site together are the host', () => {
  for (const url of ['https://a.b.example.co.uk/', 'http://example.com', 'http://10.0.0.1/', 'http://[2001:db8::1]/']) {
    const { ascii, subdomain, site } = partsOf(url);
    expect(subdomain === '' ? site : `${subdomain}.${site}`).toBe(ascii);
  }
});

test('an internationalized name is shown in Unicode, with the ASCII characters that it imitates', () => {
  const parts = partsOf('https://www.xn--pypal-4ve.com/');
  expect(parts.ascii).toBe('www.xn--pypal-4ve.com');
  expect(parts.unicode).toBe('www.p\u0430ypal.com');
  expect(parts.lookalikes).toEqual([{ character: '\u0430', looks_like: 'a' }]);
});

test('each lookalike character is listed once, and only if it resembles ASCII', () => {
  expect(partsOf('https://\u0430\u0430\u0430.example/').lookalikes).toHaveLength(1);
  expect(partsOf('https://日本語.example/').lookalikes).toEqual([]);
  expect(partsOf('https://example.com/').lookalikes).toEqual([]);
});

test('an IP address has no registrable domain, and is shown unchanged', () => {
  expect(partsOf('http://10.0.0.1/')).toMatchObject({
    unicode: '10.0.0.1',
    site: '10.0.0.1',
    registrable_domain: null,
  });
});
