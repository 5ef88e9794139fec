import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/core/base/failure.ts';
import type { Hop } from '#src/network/egress/http/hop.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { redirectTarget, refreshTargets } from '#src/network/probes/visit/ways-on.ts';
import { machineSlowness, shortCpuMs } from '#test/support/cpu-time.ts';
import { targetOf } from '#test/support/target.ts';

const FROM = targetOf('https://a.example/dir/page?q');

function answer(status: number, headers: Readonly<Record<string, string>> = {}): Hop {
  const body = new Uint8Array();
  const rest = { truncated: false, decoded: true, address: '192.0.2.1', tls: null, wireBytes: 0 };
  return { status, headers: new Map(Object.entries(headers)), body, ...rest };
}

const firstRefresh = (...asked: Parameters<typeof refreshTargets>) => refreshTargets(...asked)[0] ?? null;

/** Where somebody is sent: a URL, the code of a failure, or null. */
function whereTo(next: ReturnType<typeof redirectTarget>): string | null {
  return next instanceof FailureError ? next.code : (next?.requestUrl ?? null);
}

const location = (value: string, status = 302) => whereTo(redirectTarget(FROM, answer(status, { location: value })));

function refresh(header: string | null, html = ''): string | null {
  const document = readPage(new TextEncoder().encode(html), { contentType: 'text/html', url: FROM.requestUrl });
  return whereTo(firstRefresh(FROM, answer(200, header === null ? {} : { refresh: header }), document));
}

const meta = (content: string) => `<meta http-equiv=refresh content="${content}">`;

describe('a Location header', () => {
  test('is resolved against the URL of the answer, only for statuses that redirect', () => {
    expect(location('other')).toBe('https://a.example/dir/other');
    expect(location('//b.example/x')).toBe('https://b.example/x');
    for (const status of [301, 302, 303, 307, 308]) expect(location('/x', status)).toBe('https://a.example/x');
    for (const status of [200, 300, 304, 305, 404, 500]) expect(location('/x', status)).toBeNull();
  });

  test('has no target if it is empty or missing', () => {
    expect(location('')).toBeNull();
    expect(whereTo(redirectTarget(FROM, answer(302)))).toBeNull();
  });

  test('is decoded as UTF-8 if it is valid, and else as Latin-1', () => {
    expect(location(Buffer.from('/é').toString('latin1'))).toBe('https://a.example/%C3%A9');
    expect(location('/\u00e9')).toBe('https://a.example/%C3%A9');
  });

  test('is a failure if it is not a web address or exceeds 16 KiB', () => {
    expect(location('https://')).toBe('redirect_invalid');
    expect(location('javascript:alert(1)')).toBe('redirect_invalid');
    expect(location('ftp://a.example/')).toBe('redirect_invalid');
    const tabs = (count: number) => location(`/x${'\t'.repeat(count - 2)}`);
    expect(tabs(16_384)).toBe('https://a.example/x');
    expect(tabs(16_385)).toBe('redirect_invalid');
  });
});

describe('a refresh', () => {
  test('is followed after any delay that a browser supports', () => {
    for (const delay of ['0', '20', '21', '3600', '2147483']) {
      expect(refresh(`${delay};url=/b`)).toBe('https://a.example/b');
      expect(refresh(null, meta(`${delay};url=/b`))).toBe('https://a.example/b');
    }
    expect(refresh('2147484;url=/b')).toBeNull();
    expect(refresh(null, meta('2147484;url=/b'))).toBeNull();
  });

  test('with the shortest delay is returned first, followed by the others', () => {
    const html = meta('9;url=/late') + meta('0;url=/first') + meta('9;url=/later');
    const document = readPage(new TextEncoder().encode(html), { contentType: 'text/html', url: FROM.requestUrl });
    const found = refreshTargets(FROM, answer(200, { refresh: '5;url=/second' }), document);
    expect(found.map(whereTo)).toEqual(['first', 'second', 'later', 'late'].map((path) => `https://a.example/${path}`));
  });

  test('with the shortest delay is used, and the last one of equal delays, as in Chromium', () => {
    expect(refresh('0;url=/b', meta('0;url=/c'))).toBe('https://a.example/c');
    expect(refresh('0;url=/b', meta('1;url=/c'))).toBe('https://a.example/b');
    expect(refresh(null, meta('0;url=/b') + meta('0;url=/c') + meta('5;url=/d'))).toBe('https://a.example/c');
    expect(refresh('1;url=/b', meta('0;url=/c'))).toBe('https://a.example/c');
    expect(refresh('0', meta('0;url=/c'))).toBe('https://a.example/c');
    expect(refresh('soon', meta('0;url=/c'))).toBe('https://a.example/c');
  });

  test('to the page itself has no target, and another refresh is used', () => {
    expect(refresh('5')).toBeNull();
    expect(refresh('5;url=')).toBeNull();
    expect(refresh('5;url=/dir/page?q')).toBeNull();
    expect(refresh('5;url=#top', meta('0;url=/c'))).toBe('https://a.example/c');
    expect(refresh('5;url=/dir/page')).toBe('https://a.example/dir/page');
  });

  test('to the page itself is skipped any number of times', () => {
    const own = Array.from({ length: 40 }, (_, at) => meta(`5;url=#${at}`)).join('');
    expect(refresh(null, own + meta('0;url=/c'))).toBe('https://a.example/c');
  });

  test('to the page itself in many spellings is a failure, and takes bounded CPU time', () => {
    const long = targetOf(`https://a.example/${'%41'.repeat(2600)}`);
    const spelled = (count: number) =>
      Array.from({ length: count }, (_, at) => meta(`5;url=/${'A'.repeat(at)}${'%41'.repeat(2600 - at)}`)).join('');
    const pageOf = (html: string) =>
      readPage(new TextEncoder().encode(html), { contentType: 'text/html', url: long.requestUrl });
    const next = (html: string) => whereTo(firstRefresh(long, answer(200), pageOf(html)));
    expect(next(spelled(8))).toBeNull();
    expect(next(spelled(8) + meta('9;url=/c'))).toBe('redirect_invalid');
    // A browser follows the shortest delay.
    expect(next(spelled(8) + meta('0;url=/c'))).toBe('https://a.example/c');
    const page = pageOf(spelled(50));
    expect(shortCpuMs(() => firstRefresh(long, answer(200), page)) / machineSlowness()).toBeLessThan(5);
  });

  test('to an invalid web address is a failure', () => {
    expect(refresh('0;url=https://')).toBe('redirect_invalid');
  });

  test('in a header is used without a page', () => {
    expect(whereTo(firstRefresh(FROM, answer(200, { refresh: '0;url=/b' }), null))).toBe('https://a.example/b');
    expect(whereTo(firstRefresh(FROM, answer(200), null))).toBeNull();
  });

  test('in a header is decoded as UTF-8 if it is valid', () => {
    expect(refresh(Buffer.from('0;url=/é').toString('latin1'))).toBe('https://a.example/%C3%A9');
  });
});
