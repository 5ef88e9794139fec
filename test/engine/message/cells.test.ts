import { expect, test } from 'bun:test';
import { cellsOf, readMessage } from '#src/engine/message/read-message.ts';

test.each([
  ['a,b\nc,d', ['a', 'b', 'c', 'd']],
  ['a;b,c;d', ['a', 'b,c', 'd']],
  ['a\tb;c\td', ['a', 'b;c', 'd']],
  ['a\n1;2;3', ['a', '1;2;3']],
  ['a,"b,""c""",,d\r\n\r\ne', ['a', 'b,"c"', 'd', 'e']],
  ['"a\nb","c', ['a\nb', 'c']],
  [',;,', [';']],
  ['', []],
])('the cells of %j are %j', (text, cells) => expect(cellsOf(text)).toEqual(cells));

test('the separator is the most frequent character of the first 10,000', () => {
  const text = `${'x'.repeat(9999)};y`;
  expect(cellsOf(text)).toEqual(['x'.repeat(9999), 'y']);
  expect(cellsOf(`x${text}`)).toEqual([`x${text}`]);
});

test.each([
  'name,link\n1,"=HYPERLINK(""https://evil.example/a"",""https://www.paypal.com"")"\n',
  'name;link\n1;=HYPERLINK("https://evil.example/a";"https://www.paypal.com")\n',
])('%j has a link whose words name another site', async (table) => {
  const message = await readMessage(new TextEncoder().encode(table), 'a.csv');
  expect(message?.links[0]).toMatchObject({ url: 'https://evil.example/a', mismatch: { says: 'www.paypal.com' } });
});
