import { expect, test } from 'bun:test';
import { readPage } from '#src/network/html/read-page.ts';
import { contentOf } from '#src/network/html/shown-content.ts';
import type { DomSnapshot } from '#src/parts/browser/cdp/protocol.ts';
import { readSnapshot } from '#src/parts/browser/snapshot/read-snapshot.ts';
import recorded from './recorded-snapshot.json' with { type: 'json' };

const WINDOW = { width: 1280, height: 800 };
const read = (snapshot: DomSnapshot = recorded, hasScripts = true) => readSnapshot(snapshot, WINDOW, hasScripts);
const textOf = (markup: Uint8Array | undefined) => new TextDecoder().decode(markup);
const pageOf = (markup = read().document?.markup) =>
  readPage(markup ?? new Uint8Array(), { contentType: 'text/html; charset=utf-8', url: 'http://shop.example/' });

test('what a person sees is visible text: drawn by scripts, in closed roots, in frames, as styles change it', () => {
  expect(pageOf().visibleText.split(/\s+/)).toEqual('UPPER User closed slotted drawn text in a frame l'.split(' '));
  expect(pageOf().title).toBe('T & x');
});

test('what styles hide is hidden text, and what nobody sees is left out', () => {
  const hidden = pageOf().hiddenText;
  for (const word of ['none', 'invisible', 'faint', 'outside', 'tiny', 'clear', 'clipped', 'hidden frame'])
    expect(hidden).toContain(word);
  for (const word of ['template', 'without scripts', 'unslotted', 'innerHTML', 'onclick'])
    expect(textOf(read().document?.markup)).not.toContain(word);
});

test('fields have their values, targets and places, those of frames with absolute addresses', () => {
  const { forms } = pageOf();
  const fields = forms.map(({ action, fields }) => [action, fields.map(({ name, concealed }) => [name, concealed])]);
  expect(fields).toContainEqual([
    'http://shop.example/login',
    [
      ['u', undefined],
      ['p', undefined],
    ],
  ]);
  expect(fields).toContainEqual(['http://shop.example/f', [['fr', undefined]]]);
  expect(fields.flat(2)).toContainEqual(['trap', true]);
  expect(fields.flat(2)).toContainEqual(['sh', undefined]);
  expect(textOf(read().document?.markup)).toContain('name="p" value="a&quot;b"');
  expect(textOf(read().document?.markup)).toContain('value="typed"');
});

test('a policy of the page is left out, a large background is a picture, and scripts leave an empty one', () => {
  const markup = textOf(read().document?.markup);
  expect(markup).not.toContain('Content-Security-Policy');
  expect(markup).toContain('<img src="http://shop.example/bg.png">');
  expect(markup.match(/<script/g)).toEqual(['<script']);
  expect(textOf(read(recorded, false).document?.markup)).not.toContain('<script');
  expect(contentOf(pageOf())).toMatchObject({ isBare: false, unread: null });
});

test('the same snapshot gives the same bytes', () => {
  expect(read()).toEqual(read());
});

/** A document whose body has these children, each in the one before it if `isDeep`. */
function manyNodes(count: number, isDeep: boolean, strings: string[]): DomSnapshot {
  const at = (text: string) => (strings.includes(text) ? strings.indexOf(text) : strings.push(text) - 1);
  const all = count + 3;
  const name = ['#document', 'HTML', 'BODY'];
  const rare = { index: [], value: [] };
  const names = Array.from({ length: all }, (_, i) => at(name[i] ?? 'DIV'));
  return {
    strings,
    documents: [
      {
        ...{ documentURL: at('http://shop.example/'), baseURL: at('http://shop.example/'), frameId: -1 },
        nodes: {
          parentIndex: Array.from({ length: all }, (_, i) => (i < 3 || isDeep ? i - 1 : 2)),
          nodeType: Array.from({ length: all }, (_, i) => (i === 0 ? 9 : 1)),
          nodeName: names,
          nodeValue: names.map(() => -1),
          attributes: names.map(() => []),
          ...{ shadowRootType: rare, inputValue: rare, textValue: rare, contentDocumentIndex: rare },
        },
        layout: { nodeIndex: [], styles: [], bounds: [], text: [] },
      },
    ],
  };
}

test('a page of many elements, or of deep ones, is cut at the size that is parsed', () => {
  for (const isDeep of [true, false]) {
    const { document, isCut } = read(manyNodes(250_000, isDeep, []));
    expect(isCut).toBe(true);
    expect(document?.markup.length).toBeLessThanOrEqual(2 * 1024 * 1024 + 100);
  }
});

test('a snapshot that contradicts itself is read as far as it goes', () => {
  const [first] = recorded.documents;
  const broken = { ...first, nodes: { ...first?.nodes, nodeName: [], attributes: [] } } as DomSnapshot['documents'][0];
  expect(read({ strings: [], documents: [broken] }).document?.url).toBe('');
  expect(read({ strings: [], documents: [] }).document).toBeNull();
});
