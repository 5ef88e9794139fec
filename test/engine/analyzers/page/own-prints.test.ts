import { describe, expect, test } from 'bun:test';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import { analyzePage, pageAnalyzer } from '#src/engine/analyzers/page.ts';
import type { ListHits } from '#src/network/probes/observations.ts';
import type { Box, IconPrint, PageLook } from '#src/network/probes/page-visit.ts';
import { said } from '#test/support/said.ts';
import { subjectOf } from './features-of.ts';
import { LOGIN } from './signal-pages.ts';

/** Edges of a picture around boxes, in cells of 20 CSS pixels. */
function edgesAround(boxes: readonly Box[]): string {
  const bits = new Uint8Array(320);
  for (const [left, top, width, height] of boxes) {
    for (let x = left; x < left + width; x += 20) {
      for (const y of [top, top + height]) {
        const at = Math.floor(y / 20) * 64 + Math.floor(x / 20);
        bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
      }
    }
  }
  return bits.toHex();
}

const FIELDS: readonly Box[] = [
  [460, 300, 360, 40],
  [460, 380, 360, 40],
];
const BUTTON: Box = [460, 450, 140, 44];
const WHITE = `${'00'.repeat(63)}ff`;
const BLACK = `ff${'00'.repeat(63)}`;

const lookOf = (
  more: Partial<PageLook> = {},
  drawn: readonly Box[] = [...FIELDS, BUTTON, [0, 0, 1280, 90]],
): PageLook => ({
  ...{ width: 1280, height: 800, fields: FIELDS, buttons: [BUTTON], colours: WHITE, edges: edgesAround(drawn) },
  ...more,
});
const moved = (boxes: readonly Box[], by: number): Box[] => boxes.map(([x, y, w, h]) => [x, y + by, w, h]);

const icon = (byte: string, more: Partial<IconPrint> = {}): IconPrint => ({
  ...{ sha256: byte.repeat(16), shape: byte.repeat(112) },
  ...more,
});

const OWN: ConfiguredBrand = {
  ...{ name: 'Nordwerk', domains: ['nordwerk.test'], pages: [] },
  looks: [{ ...lookOf(), picture: 'own-0123456789abcdef' }],
  icons: [icon('5a')],
};

interface Seen {
  readonly look?: PageLook;
  readonly icon?: IconPrint;
}

function findings(seen: Seen, { html = LOGIN, url = 'https://elsewhere.test/', hits }: Partial<Asked> = {}) {
  const subject = subjectOf(html, url);
  const { page } = subject.observations;
  if (page.state !== 'observed') throw new Error('the page was not read');
  const observations = { page: { ...page, value: { ...page.value, ...seen } } };
  const analyzed = analyzePage({ ...subject, observations }, [OWN]);
  const lists = { state: 'observed', value: hits ?? { blocked: null, allowed: null }, elapsedMs: 0 } as const;
  const evidence = pageAnalyzer.analyze({ page: analyzed, observations: { ...observations, lists } });
  return evidence?.features.filter(({ name }) => name === 'page.own_look' || name === 'page.own_icon') ?? [];
}

interface Asked {
  readonly html: string;
  readonly url: string;
  readonly hits: ListHits;
}

const namesOf = (...args: Parameters<typeof findings>) => findings(...args).map(({ name }) => name);

describe('the look of a configured page on another site', () => {
  test('is found, with the picture to show beside it', () => {
    const [found] = findings({ look: lookOf() });
    expect(found).toMatchObject({ name: 'page.own_look', value: 1, args: { picture: 'own-0123456789abcdef' } });
    expect(said(found)).toContain('Nordwerk');
  });

  test.each<[string, PageLook]>([
    ['dark', lookOf({ colours: BLACK })],
    ['lower on the page', lookOf({ fields: moved(FIELDS, 60), buttons: moved([BUTTON], 60) })],
    ['with another button', lookOf({ buttons: [[460, 450, 90, 44]] })],
    ['with fields of another kind, drawn alike', lookOf({ fields: [], buttons: [] })],
  ])('is found %s', (_, look) => {
    expect(namesOf({ look })).toEqual(['page.own_look']);
  });

  test.each<[string, PageLook]>([
    ['with other fields and edges', lookOf({ fields: [[100, 100, 200, 30]] }, [[100, 100, 200, 30]])],
    ['with the same fields in another picture', lookOf({}, [[20, 20, 60, 700]])],
    ['in a window of another size', lookOf({ width: 390, height: 844 })],
    ['drawn alike in other colours, with other fields', lookOf({ fields: [[100, 100, 200, 30]], colours: BLACK })],
  ])('is not found %s', (_, look) => {
    expect(namesOf({ look })).toEqual([]);
  });

  test('counts for pages that ask for something alone', () => {
    expect(namesOf({ look: lookOf({ fields: [] }) }, { html: '<p>Text' })).toEqual([]);
    expect(namesOf({ look: lookOf() }, { html: '<p>Text' })).toEqual(['page.own_look']);
  });
});

describe('the icon of a configured page on another site', () => {
  test.each<[string, IconPrint, boolean]>([
    ['the same file', icon('5a', { shape: null }), true],
    ['another size', icon('00', { shape: `a5a5${'5a'.repeat(110)}` }), true],
    ['another icon', icon('a5'), false],
    ['the same shape in other colours', icon('00', { shape: '5a'.repeat(64) + 'ff'.repeat(48) }), false],
    ['nothing that can be decoded', icon('00', { shape: null }), false],
  ])('%s', (_, seen, isFound) => {
    expect(namesOf({ icon: seen })).toEqual(isFound ? ['page.own_icon'] : []);
  });

  test('says nothing of a page that asks for no secret', () => {
    expect(namesOf({ icon: icon('5a') }, { html: '<p>Text' })).toEqual([]);
  });
});

test.each<[string, Partial<Asked>]>([
  ['the own site', { url: 'https://sso.nordwerk.test/' }],
  ['a site of a known brand', { url: 'https://login.paywell.example/' }],
  [
    'a site on a list that a setting names',
    { hits: { blocked: null, allowed: { list: 'ours', entry: 'elsewhere.test', line: 1 } } },
  ],
  [
    'a site that the operator has confirmed',
    {
      hits: {
        ...{ blocked: null, allowed: null },
        kept: [
          {
            list: 'confirmed',
            entry: 'elsewhere.test',
            line: 1,
            action: 'allow',
            weight: null,
            addedAtMs: 0,
            narrowness: 1,
          },
        ],
      },
    },
  ],
])('neither is found on %s', (_, asked) => {
  expect(namesOf({ look: lookOf(), icon: icon('5a') }, asked)).toEqual([]);
});
