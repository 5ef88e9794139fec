import { expect, test } from 'bun:test';
import { isMarkup } from '#src/engine/message/kind.ts';
import { readMessage } from '#src/engine/message/read-message.ts';

const NOTE = `Incident notes

The kit's landing page is <https://n1.top.example/login>.
Dropper: https://n2.top.example/a.zip (see also <http://n3.top.example/b.zip>)

Snippet from the page:
  <a href="https://n4.top.example/go?a=1&amp;b=2">Continue</a>

C2: <https://n5.top.example/gate>
`;

test('a note with a snippet of HTML is read both ways, each link once', async () => {
  const message = await readMessage(new TextEncoder().encode(NOTE));
  expect(message?.kind).toBe('text');
  expect(message?.links.map(({ url }) => url)).toEqual([
    'https://n1.top.example/login',
    'https://n2.top.example/a.zip',
    'http://n3.top.example/b.zip',
    'https://n4.top.example/go?a=1&b=2',
    'https://n5.top.example/gate',
  ]);
  expect(message?.links[3]?.words).toBe('Continue');
});

test('the words of a link in a snippet are compared with its target', async () => {
  const note = 'Hello,\nthey sent this:\n\n<a href="https://evil.example/">www.paypal.com</a>\n\nIs it real?\nMaria';
  const message = await readMessage(new TextEncoder().encode(note));
  expect(message?.links.map(({ mismatch }) => mismatch)).toContainEqual({
    says: 'www.paypal.com',
    goesTo: 'evil.example',
  });
});

test.each([
  '<!DOCTYPE html>\nx\ny',
  ' <html><p>x',
  '<head>',
  '<?xml version="1.0"?><svg></svg>',
  '<a href="https://a.example/">x</a>',
  '<p>Hello</p>\n<p><a href=x>x</a></p>\nBye',
])('%j is markup', (text) => {
  expect(isMarkup(text)).toBeTrue();
});

test.each([
  NOTE,
  'a < b and <https://a.example/>',
  '# Title\n\n<br>\n\nText\nMore\nText <a href="x">x</a>',
  '<b>x</b>',
  '',
])('%j is text', (text) => {
  expect(isMarkup(text)).toBeFalse();
});
