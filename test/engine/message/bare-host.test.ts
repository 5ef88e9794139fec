import { expect, test } from 'bun:test';
import { hostsNamedIn, isBareAddress } from '#src/engine/message/text/hosts-in-text.ts';

test.each([
  'paypal.com',
  'PAYPAL.COM',
  'paypal.com.',
  'a.b.c.example',
  'xn--bcher-kva.xn--p1ai',
  'bücher.example',
  'a_b.example',
  'host.intern/x',
  'host.intern:8080/x',
  '192.0.2.7/x',
  '255.255.255.255:80/',
  'paypal.com:65535',
  `${'a'.repeat(63)}.example`,
  `${'a.'.repeat(123)}example`,
  'bank.xn--unknown1',
])('%s is read as an address', (word) => {
  expect(isBareAddress(word)).toBeTrue();
});

test.each([
  '',
  'paypal',
  'com',
  '.com',
  'a..com',
  'a b.com',
  '-a.com',
  'a-.com',
  'a.-b.com',
  'Node.js',
  'host.intern',
  'host.intern/',
  'host.x/y',
  '1.2.3',
  '1.2.3/x',
  '1.2.3.4.5/x',
  '192.0.2.7',
  '192.0.2.256/x',
  '300.0.2.7/x',
  '192.0002.2.7/x',
  '192.0.0x2.7/x',
  'paypal.com:',
  'paypal.com:123456/',
  'paypal.com:80x',
  'paypal.com:x/',
  `${'a'.repeat(64)}.example`,
  `aa.${'a.'.repeat(122)}example`,
  'host.1ab/x',
  'host.ab1/x',
  'bank.axn--unknown',
  'bank.xn--un_known',
])('“%s” is not read as an address', (word) => {
  expect(isBareAddress(word)).toBeFalse();
});

test('returns the hosts in a text in order, each once, as written in URLs', () => {
  expect(hostsNamedIn('See PayPal.com, (www.bank.example/x) “paypal.com” and https://xn--bcher-kva.example.')).toEqual([
    'paypal.com',
    'www.bank.example',
    'xn--bcher-kva.example',
  ]);
  expect(hostsNamedIn('ｐａｙｐａｌ．ｃｏｍ')).toEqual(['paypal.com']);
  expect(hostsNamedIn('to PayPal.Com')).toEqual(['paypal.com']);
  expect(hostsNamedIn('paypal.life')).toEqual(['paypal.life']);
  expect(hostsNamedIn('at=http:/intranet/x')).toEqual(['intranet']);
});

test('finds a host with a trailing dot and a long path', () => {
  expect(hostsNamedIn(`paypal.com./${'x'.repeat(10_000)}`)).toEqual(['paypal.com']);
});

test.each(['clip.mov', 'run.py', 'run.sh', 'main.rs', 'script.pl'])('%s is a file name', (words) => {
  expect(hostsNamedIn(words)).toEqual([]);
});

test.each([
  'invoice.zip',
  'README.MD',
  'maria@paypal.com',
  'e.g. now',
  'Hello.',
  '…',
  'ASP.NET Core',
  'now.If',
  'see foo.is',
])('“%s” contains no host', (words) => {
  expect(hostsNamedIn(words)).toEqual([]);
});

test('a file extension counts only for a name of two labels', () => {
  expect(hostsNamedIn('www.invoice.zip')).toEqual(['www.invoice.zip']);
  expect(hostsNamedIn('invoice.zip.example')).toEqual(['invoice.zip.example']);
});
