import { expect, test } from 'bun:test';
import { loadRegistryServers } from '#src/core/knowledge/registries/registry-servers.ts';

const servers = loadRegistryServers();

test('contains the servers of the largest registries', () => {
  expect(servers.rdap('com')).toBe('https://rdap.verisign.com/com/v1/');
  expect(servers.whois('com')).toBe('whois.verisign-grs.com');
  expect(servers.whois('de')).toBe('whois.denic.de');
  expect(servers.whois('bar')).toBe('whois.nic.bar');
});

test('an unknown suffix has no server', () => {
  expect([servers.rdap('invalid'), servers.whois('invalid')]).toEqual([null, null]);
  expect([servers.rdap('constructor'), servers.whois('__proto__')]).toEqual([null, null]);
});
