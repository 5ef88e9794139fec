import { beforeAll, describe, expect, test } from 'bun:test';
import { parseIp } from '#src/base/ip.ts';
import vectors from '#test/vectors/ssrf-flow.json' with { type: 'json' };
import { runInNamespace } from './namespace.ts';

/** What became of a vector; see `ssrf-flow-inside.ts`. */
interface Result {
  readonly document?: boolean;
  readonly statusCode?: number;
  readonly failure: { readonly code: string; readonly detail: string } | null;
  readonly dialled: string[];
  readonly requests: string[];
  readonly serverNames: string[];
  readonly proxied: string[];
  readonly peak: number;
}

/** Every address that a vector names becomes this machine's own, so that a connection to it would be seen. */
const addresses = [...JSON.stringify(vectors).matchAll(/(?<=["[/])[0-9a-f:.]+(?=["\]:/])/g)]
  .map(([text]) => text)
  .filter((text) => parseIp(text) && !text.startsWith('127.') && !['0.0.0.0', '::1'].includes(text));

/** The proxy's address stands in the vectors with a scheme and a port. */
const PROXY = '10.0.0.3';

/** Where the product differs from what a vector expects, and why. */
const CHANGED: Record<string, { hostHeader?: string; end?: string }> = {
  // The canonical form of a URL has no final dot, and the canonical form is what is requested.
  'trailing-dot': { hostHeader: 'a.example.net' },
  // The vector leaves it open; the same address again is a circle.
  'redirect-relative': { end: 'too_many_redirects' },
};

/** Our failures by the names of the vectors. */
function endOf({ document, failure }: Result): string {
  if (document || failure === null) return 'ok';
  const reason = failure.detail.split(':')[0];
  if (failure.code === 'egress_denied') return `denied:${reason}`;
  return { dns_no_data: 'dns:NODATA', dns_malformed: 'dns:bad-answer' }[failure.code] ?? failure.code;
}

const header = (request: string | undefined, name: string) =>
  new RegExp(`^${name}: (.*)\r$`, 'im').exec(request ?? '')?.[1];

describe('a whole visit among real servers at public addresses', () => {
  let results: Record<string, Result> = {};
  beforeAll(async () => {
    // The environment's proxies are none of ours: this one would be seen as a connection that no vector allows.
    const env = {
      http_proxy: 'http://10.0.0.9:80',
      https_proxy: 'http://10.0.0.9:80',
      all_proxy: 'http://10.0.0.9:80',
    };
    results = (await runInNamespace('ssrf-flow-inside.ts', {
      addresses: [PROXY, ...new Set(addresses)],
      env,
    })) as Record<string, Result>;
  }, 120_000);

  for (const { id, expect: wanted } of vectors.vectors) {
    test(`${id}: ${JSON.stringify(wanted).slice(0, 100)}`, () => {
      const expected: Record<string, unknown> = { ...wanted, ...CHANGED[id] };
      const result = results[id];
      if (!result) throw new Error('was not played');
      const { end, dialled, dialledOnly, sni, hostHeader, requestPath, connectLine, maxHops, maxParallelPerAddress } =
        expected;
      if (end === 'denied:*') expect(endOf(result)).toStartWith('denied:');
      else if (String(end).startsWith('redirect-invalid')) expect(result.failure?.code).toBe('redirect_invalid');
      else if (end !== undefined) expect<unknown>(endOf(result)).toBe(end);
      if (dialled !== undefined) expect<unknown>(result.dialled).toEqual(dialled);
      for (const place of result.dialled) {
        if (Array.isArray(dialledOnly)) expect(dialledOnly).toContain(place.slice(0, place.lastIndexOf(':')));
      }
      if (sni !== undefined) expect<unknown>(result.serverNames).toEqual([sni]);
      if (hostHeader !== undefined) expect<unknown>(header(result.requests[0], 'host')).toBe(hostHeader);
      if (requestPath !== undefined) expect(result.requests[0]).toStartWith(`GET ${requestPath} HTTP/1.1`);
      if (connectLine !== undefined) expect(result.proxied).toEqual([`${connectLine} HTTP/1.1`]);
      if (maxHops !== undefined) expect(result.requests.length).toBeLessThanOrEqual(Number(maxHops));
      if (maxParallelPerAddress !== undefined) expect(result.peak).toBe(Number(maxParallelPerAddress));
      if ('finding' in expected) expect(result.failure?.code).toBe('egress_denied');
      if (String(end).startsWith('denied'))
        expect(result.dialled.every((place) => place.startsWith('93.184.'))).toBeTrue();
    });
  }

  test('no server saw more than the vectors name', () => {
    expect(addresses.length).toBeGreaterThan(100);
    const seen = new Set(
      Object.values(results).flatMap(({ dialled }) => dialled.map((place) => place.replace(/:\d+$/, ''))),
    );
    expect([...seen].sort()).toEqual(['10.1.2.3', '151.101.1.69', '93.184.215.14', '[2606:4700:4700::1111]']);
  });
});
