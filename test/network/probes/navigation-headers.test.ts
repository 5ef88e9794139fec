import { describe, expect, test } from 'bun:test';
import { assetHeaders, type Navigation, navigationHeaders } from '#src/network/probes/visit/navigation-headers.ts';
import { targetOf } from '#test/support/target.ts';

const PAGE = 'https://www.example.co.uk/page?q';

type Step = Omit<Navigation['steps'][number], 'location'>;

/** The headers of a request, of which each step leads to the next one and the last one to the URL. */
function sent(url: string, ...way: readonly Step[]): Readonly<Record<string, string>> {
  const steps = way.map((step, at) => ({ ...step, location: way[at + 1]?.url ?? url }));
  return navigationHeaders({ url: targetOf(url), steps });
}

const headerOf =
  (name: string) =>
  (url: string, ...way: readonly Step[]) =>
    sent(url, ...way)[name] ?? null;
const site = headerOf('Sec-Fetch-Site');
const referer = headerOf('Referer');
const destination = headerOf('Sec-Fetch-Dest');
const from = (url: string, how = 'refresh') => ({ url, how });

describe('the headers of a navigation', () => {
  test('over http have no client hints, no fetch metadata and no coding that needs https', () => {
    expect(Object.keys(sent('http://example.com/'))).toEqual([
      'Connection',
      'Upgrade-Insecure-Requests',
      'User-Agent',
      'Accept',
      'Accept-Encoding',
      'Accept-Language',
    ]);
  });

  test('over https have client hints, behind the fetch metadata after a redirect', () => {
    const names = (...way: readonly Step[]) => Object.keys(sent(PAGE, ...way));
    expect(names().slice(0, 4)).toEqual(['Connection', 'sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform']);
    expect(names(from(PAGE, 'http')).slice(4, 9)).toEqual([
      'Sec-Fetch-Site',
      'Sec-Fetch-Mode',
      'Sec-Fetch-User',
      'Sec-Fetch-Dest',
      'sec-ch-ua',
    ]);
  });

  test('relate a request to the page that led to it, across all redirects', () => {
    expect(site(PAGE)).toBe('none');
    expect(site(PAGE, from('https://other.example/', 'http'))).toBe('none');
    expect(site('https://www.example.co.uk/', from(PAGE))).toBe('same-origin');
    expect(site('https://login.example.co.uk/', from(PAGE))).toBe('same-site');
    expect(site('https://www.example.co.uk:8443/', from(PAGE))).toBe('same-site');
    expect(site('https://other.co.uk/', from(PAGE))).toBe('cross-site');
    expect(site(PAGE, from('http://www.example.co.uk/'))).toBe('cross-site');
    expect(site(PAGE, from(PAGE), from('https://other.example/', 'http'))).toBe('cross-site');
    expect(site(PAGE, from('https://other.example/'), from(PAGE, 'script'))).toBe('same-origin');
  });

  test('name the page in full within its origin, by its origin elsewhere, and never from https over http', () => {
    expect(referer(PAGE, from(PAGE, 'http'))).toBeNull();
    expect(referer('https://www.example.co.uk/', from(PAGE))).toBe(PAGE);
    expect(referer('https://login.example.co.uk/', from(PAGE))).toBe('https://www.example.co.uk/');
    expect(referer(PAGE, from(PAGE), from('https://other.example/', 'http'))).toBe('https://www.example.co.uk/');
    expect(referer('http://www.example.co.uk/', from(PAGE))).toBeNull();
    expect(referer(PAGE, from(PAGE), from('http://www.example.co.uk/', 'http'))).toBeNull();
    const long = `https://www.example.co.uk/${'x'.repeat(4096 - 26)}`;
    expect(referer(PAGE, from(long))).toBe(long);
    expect(referer(PAGE, from(`${long}x`))).toBe('https://www.example.co.uk/');
  });

  test('say that a document is for a frame, and that a frame of another site has no cookies of its own', () => {
    const storage = headerOf('Sec-Fetch-Storage-Access');
    const framed = from(PAGE, 'frame');
    expect(destination(PAGE, framed)).toBe('iframe');
    expect(destination(PAGE, framed, from(`${PAGE}1`, 'http'))).toBe('iframe');
    expect([storage(PAGE, framed), storage('https://other.example/', framed)]).toEqual([null, 'none']);
  });

  test('are those of the way that led to the URL, not of others that the visit followed', () => {
    const [first, second] = ['https://a.example/1', 'https://a.example/2'];
    const steps = [
      { url: PAGE, how: 'frame', location: first },
      { url: first, how: 'http', location: 'https://b.example/' },
      { url: PAGE, how: 'script', location: second },
    ];
    const headers = navigationHeaders({ url: targetOf(second), steps });
    expect([headers['Sec-Fetch-Dest'], headers['Referer']]).toEqual(['document', 'https://www.example.co.uk/']);
    expect(navigationHeaders({ url: targetOf('https://c.example/'), steps })['Sec-Fetch-Site']).toBe('none');
  });

  test('name no user and no password', () => {
    expect(referer(PAGE, from('https://user:secret@www.example.co.uk/'))).toBe('https://www.example.co.uk/');
  });

  test('ask for a fresh copy if a page refreshes itself', () => {
    const isFresh = (how: string) => 'Cache-Control' in sent(PAGE, from(PAGE, how));
    expect([isFresh('refresh'), isFresh('script'), isFresh('http')]).toEqual([true, false, false]);
  });

  test('carry the identification of the operator without client hints of a browser', () => {
    const headers = navigationHeaders({
      url: targetOf(PAGE),
      steps: [],
      userAgent: 'mail-check/1.0 (+https://example.com)',
    });
    expect(headers['User-Agent']).toBe('mail-check/1.0 (+https://example.com)');
    expect(Object.keys(headers).filter((name) => name.startsWith('sec-ch-'))).toEqual([]);
  });
});

test('the headers of a request for a script have another order, and say what it is for', () => {
  const headers = assetHeaders('script', targetOf('https://static.example.co.uk/app.js'), targetOf(PAGE));
  expect(Object.entries(headers).slice(5, 9)).toEqual([
    ['Accept', '*/*'],
    ['Sec-Fetch-Site', 'same-site'],
    ['Sec-Fetch-Mode', 'no-cors'],
    ['Sec-Fetch-Dest', 'script'],
  ]);
  const named = assetHeaders(
    'script',
    targetOf('http://example.co.uk/app.js'),
    targetOf('http://example.co.uk/'),
    'mail-check',
  );
  expect(named).toMatchObject({ 'User-Agent': 'mail-check', Referer: 'http://example.co.uk/' });
});
