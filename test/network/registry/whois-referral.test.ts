import { expect, test } from 'bun:test';
import { readReferral, readWhoisFields } from '#src/network/registry/whois-answer.ts';

const refer = (text: string) => readReferral(readWhoisFields(text));

test.each(['refer', 'whois', 'Whois Server', 'Registrar WHOIS Server'])(
  'the key %s contains the next server',
  (key) => {
    expect(refer(`domain: x\n${key}: Whois.Example.NET.\n`)).toBe('whois.example.net');
  },
);

test('uses the first referral, and ignores other servers', () => {
  expect(refer('refer: a.example\nwhois: b.example')).toBe('a.example');
  expect(refer('Name Server: ns1.example')).toBeNull();
  expect(refer('refer: 192.0.2.1\nwhois: b.example')).toBeNull();
});

const LONG = `${'a'.repeat(61)}.`.repeat(4);

test.each([
  ['a name', 'a-1.example', true],
  ['a name of the longest', `${LONG}abcde`, true],
  ['a label of 63', `${'a'.repeat(63)}.example`, true],
  ['a name that is too long', `${LONG}abcdef`, false],
  ['a label of 64', `${'a'.repeat(64)}.example`, false],
  ['one label', 'localhost', false],
  ['an address', '192.0.2.1', false],
  ['an IPv6 address', '2001:db8::1', false],
  ['what is read as an address', '127.1', false],
  ['what is read as an address, in hexadecimal', 'a.0x7f', false],
  ['a number in hexadecimal without digits', 'a.0x', false],
  ['a name that ends in a number', 'a.1', false],
  ['a port', 'a.example:43', false],
  ['a URL', 'https://a.example/', false],
  ['a user', 'u@a.example', false],
  ['an empty label', 'a..example', false],
  ['a label that begins with a dash', '-a.example', false],
  ['a label that ends with a dash', 'a-.example', false],
  ['a dash below', 'a.-b', false],
  ['an underscore', 'a_b.example', false],
  ['two names', 'a.example b.example', false],
])('%s: %s', (_, name, isServer) => {
  expect(refer(`refer: ${name}`)).toBe(isServer ? name : null);
});
