import { describe, expect, test } from 'bun:test';
import { readPage } from '#src/network/html/read-page.ts';
import { createRandom } from '#test/support/random.ts';

const read = (html: string) =>
  readPage(new TextEncoder().encode(html), { contentType: 'text/html; charset=utf-8', url: 'https://a.example/' });
const LONG = `<p>${'Shown words. '.repeat(30)}</p>`;
const isHidden = (style: string, element = '<p class="n x" id=i>Secret</p>') => {
  const { visibleText, hiddenText } = read(`<style>${style}</style>${LONG}${element}`);
  expect(visibleText.includes('Secret')).toBe(!hiddenText.includes('Secret'));
  return hiddenText.includes('Secret');
};

describe('text that a style sheet hides is hidden', () => {
  test.each([
    ['.n{display:none}'],
    ['.N{} .n { DISPLAY : none !important ; color:red }'],
    ['#i{visibility:hidden}'],
    ['p.x{opacity:0}'],
    ['.a,.n,.b{font-size:0px}'],
    ['.n{position:absolute;left:-9999px}'],
    ['.n{text-indent:-999em}'],
    ['.n{position:absolute;clip:rect(0, 0, 0, 0)}'],
    ['.n{clip-path:inset(50%)}'],
    ['.n{height:0;overflow:hidden}'],
    ['.n{overflow:hidden;max-height:0}'],
    ['.n{transform:scale(0)}'],
    ['/* .n{} */ .n{display:none}'],
    ['@import "x.css"; .n{display:none}'],
    ['@media screen{.n{display:none}}'],
    ['@keyframes a{from{opacity:0}to{opacity:1}} .n{display:none}'],
    ['.n{display:block} .n{display:none}'],
    ['.n{display:none} .n.other{display:block}'],
    ['#i{display:none} .n{display:block}'],
    ['.n{b{color:red} display:none}'],
    [`${'.a{'.repeat(20)}${'}'.repeat(20)} .n{display:none}`],
  ])('%s', (style) => {
    expect(isHidden(style)).toBe(true);
  });

  test('with everything inside', () => {
    expect(isHidden('.n{display:none}', '<div class=n><b>a</b><p>Secret</p></div>')).toBe(true);
  });
});

describe('text is visible', () => {
  test.each([
    ['.n{display:none} .n{display:block}'],
    ['.n{display:none} p.n{display:inline}'],
    ['.n{display:none} #i{display:block}'],
    ['.n{display:none !important} .n{display:block !important}'],
    ['.n{display:none} body .n{display:block}'],
    ['.n{display:none} @media (min-width:1px){.n{display:block}}'],
    ['@media print{.n{display:none}}'],
    ['.n.missing{display:none}'],
    ['.wrap .n{display:none}'],
    ['.n:hover{display:none}'],
    ['.n{opacity:0;animation:appear 1s forwards}'],
    ['.n{left:-10px;opacity:0.5}'],
    ['.n{display:none'],
    ['.wrap{color:red;.n{display:none}}'],
    ['@media screen{@media (min-width:1px){.n{display:none}}}'],
    ['<!--'],
  ])('%s', (style) => {
    expect(isHidden(style)).toBe(false);
  });

  test('if an inline style shows it, or the style sheet is for another medium or inert', () => {
    expect(isHidden('.n{display:none}', '<p class=n style="display:block">Secret</p>')).toBe(false);
    for (const sheet of [
      '<style media=print>.n{display:none}</style>',
      '<template><style>.n{display:none}</style></template>',
    ]) {
      expect(read(`${sheet}${LONG}<p class=n>Secret`).visibleText).toContain('Secret');
    }
  });

  test('if nothing else is, since a script will show it', () => {
    const page = read(
      '<style>.page{visibility:hidden}</style><div class=page>All of the page<form><input type=password></form></div>',
    );
    expect([page.visibleText, page.hiddenText]).toEqual(['All of the page', '']);
  });
});

test('forms, fields and headings count wherever a style sheet hides them', () => {
  const page = read(
    `<style>.n{display:none}</style>${LONG}<div class=n><h1>Log in</h1><form><input type=password></form></div>`,
  );
  expect(page.forms[0]?.fields[0]?.kind).toBe('password');
  expect(page.headings).toEqual(['Log in']);
});

describe('what is typed unreadably is a password', () => {
  const masked = '-webkit-text-security:disc';
  test.each([
    ['an editable element', `<div contenteditable style="${masked}"></div>`],
    [
      'an editable element of a class',
      `<style>.m{${masked}}</style><span class=m contenteditable=plaintext-only>x</span>`,
    ],
    ['a text field of a class', `<style>input.m{${masked.replace('disc', 'circle')}}</style><input type=text class=m>`],
    ['a text field', `<input type=text style="${masked}">`],
  ])('%s', (_, html) => {
    expect(read(html).forms.flatMap(({ fields }) => fields.map(({ kind }) => kind))).toEqual(['password']);
  });

  test.each([
    [
      'nothing that cannot be edited',
      `<div style="${masked}">x</div><div contenteditable=false style="${masked}"></div>`,
    ],
    ['no plain editor', '<div contenteditable>x</div>'],
  ])('but %s', (_, html) => {
    expect(read(html).forms).toEqual([]);
  });
});

test('any nest of marks is read without an exception', () => {
  const random = createRandom(9);
  const pieces = ['.n', '#i', '{', '}', 'display:none', ';', ',', '@media all', '@x', '/*', '*/', ':', '(', '"', ' '];
  for (let round = 0; round < 1000; round++) {
    const style = Array.from({ length: random.below(40) }, () => pieces[random.below(pieces.length)]).join('');
    expect(read(`<style>${style}</style><p class=n id=i>x`).url).toBe('https://a.example/');
  }
});
