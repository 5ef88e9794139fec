import { describe, expect, test } from 'bun:test';
import { readHttpRequest, readIdentity } from '#src/parts/proxy/icap/icap-head.ts';
import { httpHead } from '#test/support/icap-bytes.ts';

const read = (lines: readonly string[], icap: Readonly<Record<string, string>> = {}) =>
  readHttpRequest(Buffer.from(httpHead(...lines)), new Map(Object.entries(icap)));

describe('the URL of a request', () => {
  test.each<[string, string[], Record<string, string>, string | null]>([
    ['absolute', ['GET http://a.example:8080/x?y=1 HTTP/1.1', 'Host: b.example'], {}, 'http://a.example:8080/x?y=1'],
    ['absolute with a user', ['GET http://u:p@a.example/ HTTP/1.1'], {}, 'http://u:p@a.example/'],
    ['absolute in other letters', ['GET http://bücher.example/ HTTP/1.1'], {}, 'http://bücher.example/'],
    ['CONNECT', ['CONNECT a.example:443 HTTP/1.1'], {}, 'https://a.example/'],
    ['CONNECT to another port', ['CONNECT a.example:8443 HTTP/1.1'], {}, 'https://a.example:8443/'],
    ['CONNECT to IPv6', ['CONNECT [2001:db8::1]:443 HTTP/1.1'], {}, 'https://[2001:db8::1]/'],
    ['a path', ['GET /x HTTP/1.1', 'Host: a.example'], {}, 'http://a.example/x'],
    ['a path on port 443', ['GET /x HTTP/1.1', 'Host: a.example:443'], {}, 'https://a.example:443/x'],
    [
      'a path that the proxy calls https',
      ['GET /x HTTP/1.1', 'Host: a.example'],
      { 'x-forwarded-proto': 'HTTPS' },
      'https://a.example/x',
    ],
    [
      'a path that the request calls https',
      ['GET /x HTTP/1.1', 'Host: a.example', 'X-Forwarded-Proto: https'],
      {},
      'https://a.example/x',
    ],
    ['a path with two hosts', ['GET /x HTTP/1.1', 'Host: a.example', 'Host: b.example'], {}, null],
    ['a path without a host', ['GET /x HTTP/1.0'], {}, null],
    ['an asterisk', ['OPTIONS * HTTP/1.1', 'Host: a.example'], {}, null],
    ['another scheme', ['GET ftp://a.example/ HTTP/1.1'], {}, 'ftp://a.example/'],
    ['nothing', [''], {}, null],
  ])('%s', (_, lines, icap, expected) => {
    expect(read(lines, icap).url).toBe(expected);
  });
});

describe('the navigation flag of a request', () => {
  const GET = 'GET http://a.example/ HTTP/1.1';
  test.each<[string, string[], boolean]>([
    ['document', [GET, 'Sec-Fetch-Dest: document'], true],
    ['iframe', [GET, 'sec-fetch-dest: iframe', 'Accept: image/png'], true],
    ['image', [GET, 'Sec-Fetch-Dest: image', 'Accept: */*'], false],
    ['Accept with text/html', [GET, 'Accept: text/html,*/*;q=0.8'], true],
    ['any Accept, as of curl', [GET, 'Accept: */*'], true],
    ['no Accept', [GET], true],
    ['Accept of pictures alone', [GET, 'Accept: image/avif,image/webp'], false],
    ['Accept of JSON', [GET, 'Accept: application/json'], false],
    ['CONNECT', ['CONNECT a.example:443 HTTP/1.1', 'Accept: image/png'], true],
  ])('%s', (_, lines, expected) => {
    expect(read(lines).isNavigation).toBe(expected);
  });
});

describe('the client and user of a request', () => {
  const identity = (headers: Readonly<Record<string, string>>) => readIdentity(new Map(Object.entries(headers)));
  test('are the address and the name that the proxy sends', () => {
    expect(identity({ 'x-client-ip': '192.0.2.7', 'x-client-username': 'anna' })).toEqual({
      address: '192.0.2.7',
      user: 'anna',
    });
    expect(identity({ 'x-client-ip': '::ffff:192.0.2.7' }).address).toBe('192.0.2.7');
    expect(identity({ 'x-client-ip': 'anna' }).address).toBeNull();
  });
  test('are decoded from Base64 if the name is from a directory', () => {
    expect(identity({ 'x-authenticated-user': btoa('WinNT://DOMAIN/anna') }).user).toBe('WinNT://DOMAIN/anna');
    expect(identity({ 'x-authenticated-user': 'LDAP://host/anna' }).user).toBe('LDAP://host/anna');
    expect(identity({ 'x-authenticated-user': 'anna' }).user).toBe('anna');
  });
  test('never include the password for the proxy', () => {
    expect(identity({ 'proxy-authorization': `Basic ${btoa('anna:pw')}` })).toEqual({ address: null, user: null });
  });
});
