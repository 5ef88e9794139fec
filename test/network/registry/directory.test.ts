import { expect, test } from 'bun:test';
import { createRegistryDirectory } from '#src/network/registry/directory.ts';
import { parseRdapServer, parseWhoisServer } from '#src/network/registry/suffix-server.ts';

const KNOWN = {
  rdap: (suffix: string) => (suffix === 'com' ? 'https://rdap.known.example/' : null),
  whois: (suffix: string) => (suffix === 'com' || suffix === 'uk.com' ? `whois.${suffix}.example` : null),
};
const directory = (rdapServer: readonly string[], whoisServer: readonly string[] = []) => {
  const read = <T>(entry: T | string): T => {
    if (typeof entry === 'string') throw new Error(entry);
    return entry;
  };
  return createRegistryDirectory(KNOWN, {
    rdap_server: rdapServer.map((text) => read(parseRdapServer(text))),
    whois_server: whoisServer.map((text) => read(parseWhoisServer(text))),
    registry_timeout_seconds: 1,
  });
};

test('uses the server of the longest suffix that has one', () => {
  const known = directory([]);
  expect(known.rdap('example.com')).toBe('https://rdap.known.example/');
  expect(known.whois('example.com')).toEqual({ host: 'whois.com.example', port: 43 });
  expect(known.whois('example.uk.com')).toEqual({ host: 'whois.uk.com.example', port: 43 });
  expect([known.rdap('example.net'), known.whois('example.net')]).toEqual([null, null]);
});

test('uses the configured timeout, and the port of a server if it has one', () => {
  expect(directory([]).timeoutMs).toBe(1000);
  expect(directory([], ['com=a.example:1']).whois('example.com')).toEqual({ host: 'a.example', port: 1 });
});

test('servers of the operator override the others, with wildcards last, and an empty one disables queries', () => {
  const own = directory(['com=https://a.example/rdap', '*=https://b.example/'], ['com=', '*=c.example:4343']);
  expect(own.rdap('example.com')).toBe('https://a.example/rdap/');
  expect(own.rdap('example.net')).toBe('https://b.example/');
  expect(own.whois('example.com')).toBeNull();
  expect(own.whois('example.net')).toEqual({ host: 'c.example', port: 4343 });
});

test.each([
  '',
  'com',
  'com=http://a.example/',
  'com=x',
  '=https://a.example/',
  'c m=https://a.example/',
  'com=https://a/?q',
  'com=https://user:password@a.example/',
])('rejects the RDAP server %p', (text) => {
  expect(parseRdapServer(text)).toBeString();
});

test.each(['com=', '*=', 'com=https://a.example/', 'co.uk=https://a.example:8443/rdap'])(
  'accepts the RDAP server %p',
  (text) => {
    const [suffix = '', server] = text.split('=');
    expect<unknown>(parseRdapServer(text)).toEqual({ suffix, server });
  },
);

test.each(['', 'com', 'com=A.example', 'com=a b', 'com=a.example/', 'com=u@a.example', '.=a.example', 'com=a=b'])(
  'rejects the WHOIS server %p',
  (text) => {
    expect(parseWhoisServer(text)).toBeString();
  },
);
