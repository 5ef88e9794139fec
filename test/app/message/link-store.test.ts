import { expect, test } from 'bun:test';
import { createLinkStore } from '#src/app/message/link-store.ts';
import { LINK_PLACE, packedLinks, someUrlOf, urlOf } from '#src/app/message/packed-links.ts';
import { messageLink } from '#src/engine/message/message-link.ts';

/** Links as they are packed: the place by its letter, and the URLs that lists are asked for. */
function packedOf(...links: readonly Parameters<ReturnType<typeof createLinkStore>['add']>[0][]) {
  const store = createLinkStore();
  for (const link of links) store.add(link);
  const bytes = store.pack();
  return Array.from(packedLinks(bytes), (link) => {
    const urls: string[] = [];
    someUrlOf(bytes, link, (_, from, to) => {
      urls.push(new TextDecoder().decode(bytes.subarray(from, to)));
      return false;
    });
    return { place: link.place, url: urlOf(bytes, link), urls };
  });
}

const plain = (url: string) => messageLink(url, '');
const many = (count: number, url: (at: number) => string) => Array.from({ length: count }, (_, at) => plain(url(at)));

test('a link counts once, and is asked for in canonical form and with the links that it wraps', () => {
  const wrapped = 'https://www.google.com/url?q=https%3A%2F%2Fevil.com%2Fx';
  const found = packedOf(
    plain('https://a.com/'),
    plain('https://a.com/'),
    plain('HTTPS://Bücher.com/x'),
    plain(wrapped),
  );
  expect(found.map(({ urls }) => urls)).toEqual([
    ['https://a.com/'],
    ['HTTPS://Bücher.com/x', 'https://xn--bcher-kva.com/x'],
    [wrapped, 'https://evil.com/x'],
  ]);
  expect(packedOf(plain(`https://a.com/${'x'.repeat(9000)}`))).toEqual([]);
});

test('contradicting words come first, then ways out of a page, then each site, each host, and the rest', () => {
  const lure = { ...messageLink('https://a.com/lure', 'b.com'), mismatch: { says: 'b.com', goesTo: 'a.com' } };
  const all = [
    plain('https://a.com/1'),
    plain('https://a.com/2'),
    plain('https://www.a.com/'),
    plain('https://b.com/'),
  ];
  const found = packedOf(...all, messageLink('https://a.com/form', '', 'form'), lure);
  expect(found.map(({ url }) => url.slice('https://'.length))).toEqual([
    ...['a.com/lure', 'a.com/form', 'a.com/1', 'b.com/', 'www.a.com/', 'a.com/2'],
  ]);
});

test('five links of a site are candidates, and 200 sites have some', () => {
  const sites = packedOf(...many(202, (at) => `https://site${at}.com/`), ...many(9, (at) => `https://site0.com/${at}`));
  const placesOf = (wanted: number) => sites.filter(({ place }) => place === wanted).length;
  expect(placesOf(LINK_PLACE.candidate)).toBe(200 + 4);
  expect(placesOf(LINK_PLACE.further)).toBe(5);
  expect(placesOf(LINK_PLACE.beyond)).toBe(2);
});

test('hosts of the own network leave room for others', () => {
  const found = packedOf(...many(300, (at) => `http://printer${at}/`), plain('https://last.com/'));
  expect(found.filter(({ place }) => place === LINK_PLACE.beyond)).toEqual([]);
  expect(found.find(({ url }) => url === 'https://last.com/')?.place).toBe(LINK_PLACE.candidate);
});
