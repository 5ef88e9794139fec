import { beforeAll, describe, expect, test } from 'bun:test';
import { parseIp } from '#src/core/base/addresses/ip.ts';
import { executable } from '#test/support/executable.ts';
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

/** Our failures by the names of the vectors, and the statuses of the executable, which tells a client less. */
function endOf({ document, failure }: Result): string {
  if (document || failure === null) return 'ok';
  const reason = failure.detail.split(':')[0];
  if (failure.code.startsWith('egress_denied')) return `denied:${reason}`;
  return { dns_no_data: 'dns:NODATA', dns_malformed: 'dns:bad-answer' }[failure.code] ?? failure.code;
}

const header = (request: string | undefined, name: string) =>
  new RegExp(`^${name}: (.*)\r$`, 'im').exec(request ?? '')?.[1];

/** What the executable says of a page that ended so. */
function publicEnd(end: string): string {
  if (end.startsWith('denied:')) return 'refused_by_policy';
  if (end === 'ok') return 'ok';
  return end === 'dns:NODATA' ? 'not_found' : 'error';
}

/** The environment's proxies are none of ours: this one would be seen as a connection that no vector allows. */
const PROXY_URL = 'http://10.0.0.9:80';
const plan = {
  addresses: [PROXY, ...new Set(addresses)],
  env: { http_proxy: PROXY_URL, https_proxy: PROXY_URL, all_proxy: PROXY_URL },
};

/** Every server that any of the vectors may reach. */
const REACHED = ['10.1.2.3', '151.101.1.69', '93.184.215.14', '[2606:4700:4700::1111]'];
const hostOf = (place: string) => place.slice(0, place.lastIndexOf(':'));

function checkConnections(result: Result, expected: Record<string, unknown>): void {
  const { dialled, dialledOnly, sni, hostHeader, requestPath, connectLine, maxHops, end } = expected;
  if (dialled !== undefined) expect<unknown>(result.dialled).toEqual(dialled);
  if (Array.isArray(dialledOnly)) expect(dialledOnly).toEqual(expect.arrayContaining(result.dialled.map(hostOf)));
  if (sni !== undefined) expect<unknown>(result.serverNames).toEqual([sni]);
  if (hostHeader !== undefined) expect<unknown>(header(result.requests[0], 'host')).toBe(hostHeader);
  if (requestPath !== undefined) expect(result.requests[0]).toStartWith(`GET ${requestPath} HTTP/1.1`);
  if (connectLine !== undefined) expect(result.proxied).toEqual([`${connectLine} HTTP/1.1`]);
  if (maxHops !== undefined) expect(result.requests.length).toBeLessThanOrEqual(Number(maxHops));
  if (String(end).startsWith('denied')) expect(result.dialled.every((place) => place.startsWith('93.184.'))).toBeTrue();
}

describe('a complete visit with real servers at public addresses', () => {
  let results: Record<string, Result> = {};
  beforeAll(async () => {
    results = (await runInNamespace('ssrf-flow-inside.ts', plan)) as Record<string, Result>;
  });

  for (const { id, expect: wanted } of vectors.vectors) {
    test(`${id}: ${JSON.stringify(wanted).slice(0, 100)}`, () => {
      const expected: Record<string, unknown> = { ...wanted, ...CHANGED[id] };
      const result = results[id];
      if (!result) throw new Error('was not played');
      const { end, maxParallelPerAddress } = expected;
      if (end === 'denied:*') expect(endOf(result)).toStartWith('denied:');
      else if (String(end).startsWith('redirect-invalid')) expect(result.failure?.code).toBe('redirect_invalid');
      else if (end !== undefined) expect<unknown>(endOf(result)).toBe(end);
      if (maxParallelPerAddress !== undefined) expect(result.peak).toBe(Number(maxParallelPerAddress));
      if ('finding' in expected) expect(result.failure?.code).toBe('egress_denied');
      checkConnections(result, expected);
    });
  }

  test('only the servers that the vectors name are contacted', () => {
    expect(addresses.length).toBeGreaterThan(100);
    const seen = new Set(Object.values(results).flatMap(({ dialled }) => dialled.map(hostOf)));
    expect([...seen].sort()).toEqual(REACHED);
  });
});

/** Of no use to one command: what it listens on itself, and fifty visits at once. */
const NOT_FOR_THE_EXECUTABLE = ['self-address', 'concurrency-same-host'];

describe('the same visit with the compiled executable', () => {
  let results: Record<string, Result> = {};
  beforeAll(async () => {
    const args = [await executable()];
    results = (await runInNamespace('ssrf-flow-inside.ts', { ...plan, args })) as Record<string, Result>;
  });

  for (const { id, expect: wanted } of vectors.vectors) {
    if (NOT_FOR_THE_EXECUTABLE.includes(id)) continue;
    test(`${id}: ${JSON.stringify(wanted).slice(0, 100)}`, () => {
      const expected: Record<string, unknown> = { ...wanted, ...CHANGED[id] };
      const result = results[id];
      if (!result) throw new Error('was not played');
      const status = result.document ? 'ok' : result.failure?.code;
      if (expected['end'] !== undefined) expect(status).toBe(publicEnd(String(expected['end'])));
      checkConnections(result, expected);
    });
  }

  test('only the servers that the vectors name are contacted', () => {
    const seen = new Set(Object.values(results).flatMap(({ dialled }) => dialled.map(hostOf)));
    expect([...seen].sort()).toEqual(REACHED);
  });
});
