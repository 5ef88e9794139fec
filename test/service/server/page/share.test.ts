import { expect, test } from 'bun:test';
import { startServer } from '../running-server.ts';

const FORM = 'application/x-www-form-urlencoded';

/** As Android's share sheet posts it: the browser starts the navigation, so its origin is opaque. */
const SHARED = { 'content-type': FORM, origin: 'null', 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' };

function share(url: string, body: string | URLSearchParams, headers: Record<string, string> = SHARED) {
  return fetch(url, { method: 'POST', redirect: 'manual', headers, body: String(body) });
}

/** What the page reads out of the fragment. */
const textOf = (response: Response) =>
  decodeURIComponent(/^\.\/#url=(.*)$/.exec(response.headers.get('location') ?? '')?.[1] ?? '');

test.each([
  ['a link', { url: 'https://evil.example/a?b=c&d=%20#e' }, 'https://evil.example/a?b=c&d=%20#e'],
  [
    'a text that contains a link',
    { text: 'Look: https://evil.example/ 100 % sure' },
    'Look: https://evil.example/ 100 % sure',
  ],
  ['several links', { text: 'https://a.example/\nhttps://b.example/' }, 'https://a.example/\nhttps://b.example/'],
  ['a link that is given twice', { url: 'https://a.example/', text: 'https://a.example/' }, 'https://a.example/'],
  ['a link beside words', { title: 'Bank', url: 'https://a.example/', text: 'Now' }, 'https://a.example/\nNow'],
  ['a title that contains the link', { title: 'evil.example/x', text: '' }, 'evil.example/x'],
  ['other scripts', { text: 'リンク https://例え.jp/ßä🎣' }, 'リンク https://例え.jp/ßä🎣'],
  ['line breaks of a header', { text: 'a.example\r\nSet-Cookie: x=1' }, 'a.example\r\nSet-Cookie: x=1'],
])('redirects %s to the fragment of the page', async (_, form, text) => {
  await using server = startServer();
  const response = await share(`${server.url}/share`, new URLSearchParams(form));
  expect(response.status).toBe(303);
  expect(textOf(response)).toBe(text);
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.text()).toBe('');
});

test('redirects to the page below the base path, with or without a slash at the end', async () => {
  await using server = startServer({ settings: { base_path: '/lure' } });
  for (const path of ['/share', '/lure/share', '/share/', '/lure/share/']) {
    const response = await share(`${server.url}${path}`, 'text=x.example');
    const page = new URL(response.headers.get('location') ?? '', `${server.url}${path}`);
    expect([path, page.href]).toEqual([path, `${server.url}${path.replace(/share\/?$/, '')}#url=x.example`]);
  }
});

test('an empty share opens the page', async () => {
  await using server = startServer();
  for (const body of ['', 'text=&url=%20', 'other=https://a.example/', 'title=Hello']) {
    const response = await share(`${server.url}/share`, body);
    expect([body, response.status, response.headers.get('location')]).toEqual([body, 303, './#/']);
  }
});

test('a share starts no check and is not logged, from any site', async () => {
  await using server = startServer();
  for (const site of ['none', 'cross-site', 'same-origin']) {
    const headers = {
      ...SHARED,
      'sec-fetch-site': site,
      origin: site === 'cross-site' ? 'https://evil.example' : 'null',
    };
    expect((await share(`${server.url}/share`, 'text=https://secret.example/token', headers)).status).toBe(303);
  }
  expect(server.requests).toEqual([]);
  expect(server.log.join('\n')).not.toContain('secret.example');
  // All other routes still refuse what other sites send.
  const check = await server.check({ url: 'https://a.example/' }, { origin: 'null', 'sec-fetch-site': 'cross-site' });
  expect(check.status).toBe(403);
});

test('refuses a body that is not a form or is too large, and a foreign host', async () => {
  await using server = startServer();
  const long = `text=${'x'.repeat(70_000)}`;
  expect(
    (await share(`${server.url}/share`, '{"url":"https://a.example/"}', { 'content-type': 'application/json' })).status,
  ).toBe(415);
  expect(
    (await share(`${server.url}/share`, 'url=x', { 'content-type': 'multipart/form-data; boundary=x' })).status,
  ).toBe(415);
  const response = await share(`${server.url}/share`, long);
  expect([response.status, response.headers.get('location')]).toEqual([303, './#shared=too-long']);
  expect((await share(`${server.url}/share`, 'url=x', { ...SHARED, host: 'evil.example' })).status).toBe(421);
  expect((await fetch(`${server.url}/share`)).status).toBe(405);
});

test('a form may contain up to 64 KiB', async () => {
  await using server = startServer();
  const placeOf = async (bytes: number) =>
    (await share(`${server.url}/share`, 'url='.padEnd(bytes, 'x'))).headers.get('location')?.slice(0, 10);
  expect([await placeOf(65_536), await placeOf(65_537)]).toEqual(['./#url=xxx', './#shared=']);
});

test('a text of the maximum size is passed on completely', async () => {
  await using server = startServer();
  const text = `${'é '.repeat(9_000)}https://last.example/`;
  const response = await share(`${server.url}/share`, new URLSearchParams({ text }));
  expect(response.status).toBe(303);
  expect(textOf(response)).toBe(text);
});
