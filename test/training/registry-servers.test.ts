import { expect, test } from 'bun:test';
import { deriveRdapServers, deriveWhoisServers } from '#src/training/facts/registry-servers.ts';

test('RDAP servers are those of the bootstrap file that answer by https, with the day of its publication', () => {
  const bootstrap = {
    publication: '2026-02-13T23:00:01Z',
    services: [
      [['kg'], ['http://rdap.kg/']],
      [
        ['two', 'ONE'],
        ['http://rdap.example/', 'https://rdap.example'],
      ],
      [['art'], ['https://rdap.shared.example/art/']],
      [['bar'], ['https://rdap.shared.example/bar/']],
      [['ca'], ['https://rdap.ca.example/']],
    ],
  };
  expect(JSON.parse(deriveRdapServers(bootstrap))).toMatchObject({
    retrieved: '2026-02-13',
    entries: {
      'https://rdap.ca.example/': ['ca'],
      'https://rdap.example/': ['one two'],
      'https://rdap.shared.example/{suffix}/': ['art bar'],
    },
  });
  expect(() => deriveRdapServers({ services: [] })).toThrow('RFC 9224');
});

test('WHOIS servers are written once, with their suffixes in lines', () => {
  const table = { a: 'whois.nic.a', b: 'whois.nic.b', com: 'whois.big.example', net: 'whois.big.example', x: 'NO' };
  expect(JSON.parse(deriveWhoisServers(table, '2026-07-22'))).toMatchObject({
    retrieved: '2026-07-22',
    entries: { 'whois.big.example': ['com net'], 'whois.nic.{suffix}': ['a b'] },
  });
});
