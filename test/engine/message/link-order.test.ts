import { expect, test } from 'bun:test';
import { prioritizeLinks } from '#src/engine/message/link-order.ts';
import { messageLink } from '#src/engine/message/message-link.ts';

const orderOf = (...links: Parameters<typeof prioritizeLinks>[0]) => prioritizeLinks(links).map(({ url }) => url);

test('orders links with contradicting words first, then forms and pages, then one per site, then one per host', () => {
  const order = orderOf(
    messageLink('https://a.example/1', ''),
    messageLink('https://a.example/2', ''),
    messageLink('https://www.a.example/', ''),
    messageLink('https://b.example/', ''),
    messageLink('https://a.example/form', '', 'form'),
    messageLink('https://a.example/page', '', 'page'),
    { ...messageLink('https://a.example/lure', 'paypal.com'), mismatch: { says: 'paypal.com', goesTo: 'a.example' } },
  );
  expect(order).toEqual([
    'https://a.example/lure',
    'https://a.example/form',
    'https://a.example/page',
    'https://a.example/1',
    'https://b.example/',
    'https://www.a.example/',
    'https://a.example/2',
  ]);
});

test.each([
  ['a.bank.de', 'b.bank.de', true],
  ['a.one.com', 'b.one.com', true],
  ['a.one.co.uk', 'b.one.co.uk', true],
  ['one.co.uk', 'two.co.uk', false],
  ['one.com.br', 'two.com.br', false],
  ['192.0.2.7', '198.51.2.7', false],
  ['[2001:db8::1]', '[2001:db8::2]', false],
])('a second link to the site of %s is ordered after other sites: %s: %p', (one, other, isSameSite) => {
  const [first, second, third] = [`https://${one}/`, `https://${other}/`, 'https://third.example/'];
  const links = [first, second, third].map((url) => messageLink(url, ''));
  expect(orderOf(...links)).toEqual(isSameSite ? [first, third, second] : [first, second, third]);
});
