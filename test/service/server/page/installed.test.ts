import { expect, test } from 'bun:test';
import { parseCidr } from '#src/core/base/addresses/ip.ts';
import { contactUri } from '#src/service/server/page/site-routes.ts';
import { startServer } from '../running-server.ts';

const loopback = parseCidr('127.0.0.0/8');
if (typeof loopback === 'string') throw new Error(loopback);

async function searchAddress(url: string, headers: Record<string, string> = {}): Promise<string | undefined> {
  const response = await fetch(`${url}/opensearch.xml`, { headers });
  expect(response.headers.get('content-type')).toStartWith('application/opensearchdescription+xml');
  return /template="([^"]*)"/.exec(await response.text())?.[1];
}

test('the search description contains the address of the page, with the base path', async () => {
  await using server = startServer({ settings: { base_path: '/lure' } });
  for (const below of ['', '/lure']) {
    expect(await searchAddress(`${server.url}${below}`)).toBe(`${server.url}/lure/#url={searchTerms}`);
  }
});

test('the search description uses https only if a trusted proxy reports TLS', async () => {
  const host = 'links.corp.example';
  await using stranger = startServer({ settings: { host: [host] } });
  await using server = startServer({ settings: { host: [host], trusted_proxy: [loopback] } });
  const claims = [
    { 'x-forwarded-proto': 'https' },
    { 'x-forwarded-proto': 'https, http' },
    { forwarded: 'for=192.0.2.1;proto=https;by=10.0.0.1' },
  ];
  for (const claim of claims) {
    expect(await searchAddress(server.url, { host, ...claim })).toBe(`https://${host}/#url={searchTerms}`);
    expect(await searchAddress(stranger.url, { host, ...claim })).toBe(`http://${host}/#url={searchTerms}`);
  }
  expect(await searchAddress(server.url, { host, 'x-forwarded-proto': 'gopher' })).toStartWith('http://');
});

test('a host name cannot inject markup into the search description', async () => {
  await using server = startServer({ settings: { trusted_proxy: [loopback] } });
  for (const host of ['a"b.example', "a'b.example", 'a&b.example']) {
    const address = await searchAddress(server.url, { host });
    expect([host, address]).toEqual([
      host,
      expect.stringMatching(/^http:\/\/a&(?:quot|#x27|amp);b\.example\/#url=\{searchTerms\}$/),
    ]);
  }
});

test('security.txt contains the contact and an expiry date', async () => {
  await using server = startServer({ settings: { contact: 'soc@corp.example', base_path: '/lure' } });
  for (const below of ['', '/lure']) {
    const response = await fetch(`${server.url}${below}/.well-known/security.txt`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const [, contact, expires] = /^Contact: (.*)\nExpires: (.*)\n$/.exec(await response.text()) ?? [];
    expect(contact).toBe('mailto:soc@corp.example');
    expect(expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const days = (Date.parse(expires ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
  }
});

test('security.txt does not exist without a contact that contains an address', async () => {
  for (const contact of [null, 'the help desk']) {
    await using server = startServer({ settings: { contact } });
    expect((await fetch(`${server.url}/.well-known/security.txt`)).status).toBe(404);
  }
});

test.each([
  ['soc@corp.example', 'mailto:soc@corp.example'],
  ['IT security, <soc+lure@corp.example>, room 3', 'mailto:soc+lure@corp.example'],
  ['mailto:soc@corp.example', 'mailto:soc@corp.example'],
  ['Write to https://corp.example/contact?x=1.', 'https://corp.example/contact?x=1'],
  ['+49 (30) 1234-567', 'tel:+49301234567'],
  ['tel:+4930123', 'tel:+4930123'],
  ['http://corp.example/contact', null],
  ['extension 4711', null],
  ['', null],
])('reads the contact %p', (contact, uri) => {
  expect(contactUri(contact)).toBe(uri);
});
