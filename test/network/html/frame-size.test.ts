import { expect, test } from 'bun:test';
import { type FrameSize, frameSize, readStyleRules, selectorsOf } from '#src/network/html/styles/style-sheet.ts';

const sizeOf = (attributes: Readonly<Record<string, string>>, styles = '') => {
  const element = { tag: 'iframe', attributes: new Map(Object.entries(attributes)) };
  return frameSize(element, readStyleRules(styles, new Set(selectorsOf(element))));
};

const OVER = 'position:fixed;inset:0;width:100%;height:100%';

test.each<[FrameSize, Readonly<Record<string, string>>, string]>([
  ['part', {}, ''],
  ['part', { width: '300', height: '200' }, ''],
  ['full', { width: '100%', height: '100%' }, ''],
  ['window', { style: OVER }, ''],
  ['window', { style: 'width:100vw;height:100dvh' }, ''],
  ['hidden', { width: '0', height: '0' }, ''],
  ['hidden', { style: 'display:none', class: 'f' }, `.f{${OVER}}`],
  ['window', { class: 'a f' }, `body{margin:0}\n.f{${OVER}}`],
  ['window', { id: 'f' }, `div > #f { ${OVER} }`],
  ['window', {}, `p,iframe{${OVER}}`],
  ['window', { class: 'f' }, `@media screen{.x{color:red}.f{${OVER}}}`],
  ['window', { class: 'f' }, `.f{position:fixed}.f{width:100%;height:100vh}`],
  ['hidden', { class: 'f' }, `.f{${OVER}}.f{display:none}`],
  ['full', { class: 'f' }, '.f{position:absolute;top:0;left:0;width:100%;height:100%}'],
  ['window', { class: 'f' }, '.f{position:absolute;top:0;left:0;width:100%;height:100%;z-index:99}'],
  ['window', { class: 'f' }, `.x{color:red;.f{${OVER}} top:0}`],
  ['window', { class: 'f' }, `/* } .f{ */ .f{${OVER}}`],
  ['part', { class: 'g' }, `.f{${OVER}}`],
  ['part', {}, `@keyframes iframe{iframe{${OVER}}}`],
  ['part', { class: 'f' }, `.f:hover{${OVER}}`],
  ['part', { class: 'f' }, `.f{${OVER}`],
])('is %s with %p and %s', (size, attributes, styles) => {
  expect(sizeOf(attributes, styles)).toBe(size);
});

test('reads hostile styles in linear work', () => {
  for (const text of ['}', '{', '{}', '.a{', 'a,', ';', '.a{b:c;', '}{', '@media{']) {
    expect(readStyleRules(text.repeat(64 * 1024), new Set(['.a'])).size).toBeLessThanOrEqual(1);
  }
});
