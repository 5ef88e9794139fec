import { describe, expect, test } from 'bun:test';
import { type Navigation, navigationHeaders } from '#src/network/probes/navigation-headers.ts';

const PAGE = 'https://www.example.co.uk/page?q';

function sent(url: string, ...way: Navigation['way']) {
  const { Referer = null, ...headers } = navigationHeaders({ url, way });
  const [site, destination] = ['Sec-Fetch-Site', 'Sec-Fetch-Dest'].map((name) => headers[name] ?? null);
  return { Referer, site, destination };
}

const from = (url: string, how = 'refresh') => ({ url, how });

describe('the headers of a navigation', () => {
  test('over http have no client hints, no fetch metadata and no coding that needs https', () => {
    expect(Object.keys(navigationHeaders({ url: 'http://example.com/', way: [] }))).toEqual([
      'Connection',
      'Upgrade-Insecure-Requests',
      'User-Agent',
      'Accept',
      'Accept-Encoding',
      'Accept-Language',
    ]);
  });

  test('over https have client hints, behind the fetch metadata after a redirect', () => {
    const names = (...way: Navigation['way']) => Object.keys(navigationHeaders({ url: PAGE, way }));
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
    const site = (url: string, ...way: Navigation['way']) => sent(url, ...way).site;
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
    const referer = (url: string, ...way: Navigation['way']) => sent(url, ...way).Referer;
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
    const storage = (url: string) =>
      navigationHeaders({ url, way: [from(PAGE, 'frame')] })['Sec-Fetch-Storage-Access'] ?? null;
    expect(sent(PAGE, from(PAGE, 'frame')).destination).toBe('iframe');
    expect(sent(PAGE, from(PAGE, 'frame'), from(PAGE, 'http')).destination).toBe('iframe');
    expect([storage(PAGE), storage('https://other.example/')]).toEqual([null, 'none']);
  });

  test('ask for a fresh copy if a page refreshes itself', () => {
    const isFresh = (how: string) => 'Cache-Control' in navigationHeaders({ url: PAGE, way: [from(PAGE, how)] });
    expect([isFresh('refresh'), isFresh('script'), isFresh('http')]).toEqual([true, false, false]);
  });

  test('carry the identification of the operator without client hints of a browser', () => {
    const headers = navigationHeaders({ url: PAGE, way: [], userAgent: 'mail-check/1.0 (+https://example.com)' });
    expect(headers['User-Agent']).toBe('mail-check/1.0 (+https://example.com)');
    expect(Object.keys(headers).filter((name) => name.startsWith('sec-ch-'))).toEqual([]);
  });
});
