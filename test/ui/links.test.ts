import { expect, test } from 'bun:test';
import { readLinks } from '#src/ui/check/links.ts';
import { cpuMs } from '#test/support/cpu-time.ts';

const urlsOf = (text: string) => readLinks(text).map(({ url }) => url);

test('a URL is taken as it is', () => {
  for (const url of ['https://example.com/', 'http://a.example/?q=hxxp://b', 'https://a.example/<img src=x>']) {
    expect(readLinks(url)).toEqual([{ given: url, url }]);
  }
});

test('a defanged link and a bare host are understood', () => {
  expect(urlsOf('hxxps://paypal[.]com/login')).toEqual(['https://paypal.com/login']);
  expect(urlsOf('example.com/path')).toEqual(['http://example.com/path']);
});

test('every line is a link of its own, blank lines are none', () => {
  expect(urlsOf('https://a.example/\n\n  https://b.example/ \r\nc.example')).toEqual([
    'https://a.example/',
    'https://b.example/',
    'http://c.example',
  ]);
});

test('links are found in the sentences of a message, the other lines are named as they are', () => {
  const message = 'Your parcel is waiting.\nPay the fee at https://post.example/pay?id=7, or (hxxp://b[.]example/y).';
  expect(readLinks(message)).toEqual([
    { given: 'Your parcel is waiting.', url: null },
    { given: 'https://post.example/pay?id=7', url: 'https://post.example/pay?id=7' },
    { given: 'hxxp://b[.]example/y', url: 'http://b.example/y' },
  ]);
});

test('what is no web address is never made into one', () => {
  expect(urlsOf('javascript:alert(1)\nftp://a.example/\nhello\nhttps://')).toEqual([null, null, null, null]);
});

test('a very long text is read in time that grows with its length', () => {
  const texts = ['.', 'https://', '(', 'a.', 'www.', '[.]'].map((unit) => unit.repeat(50_000));
  const read = () => [...texts, 'https://a.example/. '.repeat(5000)].forEach(readLinks);
  expect(cpuMs(read, 2000)).toBeLessThan(2000);
});
