import { describe, expect, test } from 'bun:test';
import type { PageDocument } from '#src/network/html/document.ts';
import { USUAL_HTML_LIMITS } from '#src/network/html/limits.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { pageSyntax } from '#src/network/html/sniff.ts';
import { createRandom } from '#test/support/random.ts';

const XHTML = 'http://www.w3.org/1999/xhtml';
const FORM = '<form action="/steal"><input type="password" name="p"/></form>';
const page = (body: string) => `<html xmlns="${XHTML}"><head><title>T</title></head><body>${body}</body></html>`;

function read(xml: string, contentType = 'application/xml', limits = USUAL_HTML_LIMITS): PageDocument {
  return readPage(new TextEncoder().encode(xml), { contentType, url: 'https://a.example/' }, limits);
}

const actionsOf = (document: PageDocument) =>
  document.forms.filter(({ fields }) => fields.length > 0).map(({ action }) => action);
const STEAL = ['https://a.example/steal'];

describe('a form is read', () => {
  test.each([
    ...['title', 'script', 'style', 'iframe', 'noframes', 'noembed', 'xmp', 'plaintext', 'template'].map((name) => [
      `behind an empty ${name}`,
      page(`<${name}/>${FORM}`),
    ]),
    ['by a prefix', `<x xmlns:h="${XHTML}">${FORM.replaceAll('<', '<h:').replaceAll('<h:/', '</h:')}</x>`],
    ['by a namespace in references', page(FORM).replace('1999', '&#49;999')],
    ['by a namespace of an entity', `<!DOCTYPE x [<!ENTITY n '${XHTML}'>]>${page(FORM).replace(XHTML, '&n;')}`],
    ['behind a namespace that another element ends', page(`<p xmlns="urn:x"><q/></p>${FORM}`)],
    ['behind attributes without end', page(FORM).replace(' xmlns', `${' a="1"'.replace('a', 'a0')} xmlns`)],
    ['of entities within entities', `<!DOCTYPE x [<!ENTITY g '${FORM}'><!ENTITY f '&g;'>]>${page('&f;')}`],
    [
      'with a type by default',
      `<!DOCTYPE x [<!ATTLIST input type CDATA 'password'>]>${page(FORM.replace(' type="password"', ''))}`,
    ],
    ['behind a section', page(`<![CDATA[<!-- <template>]]>${FORM}`)],
    ['behind an unknown element', page(`<u:noscript xmlns:u="urn:x">${FORM}</u:noscript>`)],
    ['in a drawing', `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject>${page(FORM)}</foreignObject></svg>`],
    ['in a form', page(`<form action="/honest">${FORM}</form>`)],
  ])('%s', (_, xml) => {
    const document = read(xml);
    expect(actionsOf(document)).toEqual(STEAL);
    expect(document.forms.flatMap(({ fields }) => fields.map(({ kind }) => kind))).toEqual(['password']);
  });
});

test.each([
  ['without a namespace', page(FORM).replace(`xmlns="${XHTML}"`, '')],
  ['of another namespace', page(`<g xmlns="urn:x">${FORM}</g>`)],
  ['in capitals', page(FORM.replaceAll('form', 'FORM').replaceAll('input', 'INPUT'))],
  ['in a section', page(`<![CDATA[${FORM}]]>`)],
])('a form %s is no form', (_, xml) => {
  expect(read(xml, 'application/xhtml+xml').forms).toEqual([]);
});

describe('a drawing', () => {
  const exitsOf = (inside: string, attributes = '') =>
    read(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`, 'image/svg+xml').exits;
  const exit = [{ how: 'script', url: 'https://b.example/x' }] as const;
  const script = 'location.href="https://b.example/x"';

  test.each([
    ['a script', `<script>${script}</script>`, ''],
    ['a script in a section', `<script><![CDATA[${script}]]></script>`, ''],
    ['a script in references', `<script>${script.replaceAll('"', '&quot;').replace('h', '&#104;')}</script>`, ''],
    ['a handler', '', `onload="${script.replaceAll('"', "'")}"`],
  ])('leads on by %s', (_, inside, attributes) => {
    expect(exitsOf(inside, attributes)).toEqual([...exit]);
  });

  test('has links, whatever the prefix of their attribute is', () => {
    const link = '<a l:href="https://b.example/x"><text>Open</text></a>';
    expect(exitsOf(link, 'xmlns:l="http://www.w3.org/1999/xlink"')).toEqual([
      { how: 'link', url: 'https://b.example/x' },
    ]);
  });

  test('in HTML has sections, too', () => {
    const html = `<svg><script><![CDATA[${script}]]></script><text><![CDATA[ a > b ]]></text></svg>`;
    const document = read(html, 'text/html');
    expect([document.exits, document.visibleText]).toEqual([[...exit], 'a > b']);
  });
});

describe('a document with a style sheet', () => {
  const sheet = (attributes: string) => `<?xml-stylesheet ${attributes} href="/a.xsl"?>`;
  test.each([
    ['text/xsl', sheet('type="text/xsl"'), true],
    ['XML, by reference', sheet("type='text/&#120;ml'"), true],
    ['CSS', sheet('type="text/css"'), false],
    ['no type', sheet('title=" type=\'text/xsl\' "'), false],
    ['a type in capitals, which Chromium ignores', sheet('type="TEXT/XSL"'), false],
    ['text/xsl in a comment', `<!--${sheet('type="text/xsl"')}-->`, false],
    ['text/xsl in the document type', `<!DOCTYPE x [${sheet('type="text/xsl"')}]>`, false],
  ])('of %s: it is another document: %p', (_, prolog, isTransformed) => {
    const document = read(prolog + page(FORM));
    expect(document.limits.includes('transform')).toBe(isTransformed);
    expect(actionsOf(document)).toEqual(isTransformed ? [] : STEAL);
  });

  test('behind the root is ignored', () => {
    expect(actionsOf(read(page(sheet('type="text/xsl"') + FORM)))).toEqual(STEAL);
  });
});

test('entities add no more than the budget of nested markup, and the rest is said to be unread', () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a '${'x'.repeat(60_000)}'>]>${page('&a;'.repeat(100_000))}`;
  expect(read(bomb).limits).toContain('characters');
  const deep = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} '&e${n};&e${n};'>`).join('');
  expect(read(`<!DOCTYPE x [<!ENTITY e0 'x'>${deep}]>${page('&e9;')}`).limits).toContain('characters');
  expect(read(`<!DOCTYPE x [<!ENTITY % d SYSTEM "a">%d;]>${page('')}`).limits).toContain('characters');
});

test.each([1, 3, 64, 4096])('is the same document in chunks of %d characters', (chunkCharacters) => {
  const xml = `<!DOCTYPE x [<!ENTITY f '${FORM}'>]>${page('<p>a &amp; b<![CDATA[ ]] ]]></p>&f;<br/><script>1 &lt; 2</script>')}`;
  expect(read(xml, 'text/xml', { ...USUAL_HTML_LIMITS, chunkCharacters })).toEqual(read(xml, 'text/xml'));
});

test('any nest of marks is read without an exception', () => {
  const random = createRandom(41);
  const pieces = [
    '<a',
    ' xmlns="',
    XHTML,
    '">',
    '</a>',
    '/>',
    '<![CDATA[',
    ']]>',
    '<?x',
    '?>',
    '<!DOCTYPE a [',
    ']>',
    '<!ENTITY b "',
    '&b;',
    '<!--',
    '-->',
    "'",
    '%b;',
    ':',
  ];
  for (let round = 0; round < 1000; round++) {
    const xml = Array.from({ length: random.below(40) }, () => pieces[random.below(pieces.length)]).join('');
    expect(read(xml, 'image/svg+xml').url).toBe('https://a.example/');
  }
});

describe('the syntax of a page', () => {
  const xml = page('');
  const feed = '<rss xmlns:dc="http://purl.org/dc/elements/1.1/"><channel/></rss>';
  test.each([
    ['text/html', '', 'html'],
    ['application/xhtml+xml; charset=utf-8', '', 'xml'],
    ['image/svg+xml', '', 'xml'],
    ['text/xml', xml, 'xml'],
    ['text/xsl', xml, 'xml'],
    ['application/vnd.any+xml', xml, 'xml'],
    ['text/xml', `<!--${'x'.repeat(100_000)}-->${xml}`, 'xml'],
    ['text/xml', xml.replace('1999/xhtml', '&#49;999/xht&#109;l'), 'xml'],
    ['text/xml', `<a xmlns${' '.repeat(1000)}="${XHTML}"/>`, 'xml'],
    ['text/xml', '<?xml-stylesheet type="text/xsl" href="a"?><a/>', 'xml'],
    ['text/xml', '<?xml-stylesheet type="text/css" href="a"?><a/>', null],
    ['text/xml', feed, null],
    ['text/xml', '<urlset/>', null],
    [null, `<?xml version="1.0"?>${xml}`, 'xml'],
    [null, '<?xml version="1.0"?><a/>', null],
    [null, '<!--x--><p>', 'html'],
    [null, 'text <p>', null],
    ['text/plain', xml, null],
    ['application/json', xml, null],
  ] as const)('%s %#', (type, text, syntax) => {
    expect(pageSyntax(new TextEncoder().encode(text), type)).toBe(syntax);
  });

  test('is XML in UTF-16, too', () => {
    for (const bytes of [Buffer.from(xml, 'utf16le'), Buffer.from(`\ufeff${xml}`, 'utf16le').swap16()]) {
      expect(pageSyntax(bytes, 'application/xml')).toBe('xml');
    }
  });
});
