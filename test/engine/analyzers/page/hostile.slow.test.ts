import { describe, expect, test } from 'bun:test';
import { cpuMs } from '#test/support/cpu-time.ts';
import { createRandom } from '#test/support/random.ts';
import { said } from '#test/support/said.ts';
import file from '../../../vectors/html.json' with { type: 'json' };
import { featuresOf } from './features-of.ts';

interface Part {
  readonly text?: string;
  readonly repeat?: string;
  readonly n?: number;
  readonly attrs?: number;
}

const parts: readonly { id: string; parts?: readonly Part[] }[] = file.vectors;

const PASSWORD = '<input type=password>';
const LIMIT_MS = 3000;

/** Texts that cause quadratic backtracking in careless patterns. */
const TRAPS: readonly (readonly [string, string])[] = [
  ['a title of words that could be read in many ways', `<title>${'login page login '.repeat(4000)}!</title>`],
  ['a title of brand names', `<title>${'pay pal '.repeat(8000)}</title>`],
  ['copyright marks', '© (c) copyright '.repeat(4000)],
  ['words of pressure that never end', 'verify your '.repeat(5000)],
  ['look-alikes', 'l0g1n '.repeat(8000)],
  ['long words', 'a0'.repeat(30_000)],
  ['ligatures that grow when folded', '\ufdfa'.repeat(20_000)],
  ['comments', `<!-- saved from url=(${'1'.repeat(250)} -->`.repeat(100)],
  ['addresses in scripts', `<script>${'"https://a.example/\\/x" '.repeat(30_000)}</script>`],
  ['calls in scripts', `<script>${'document.write(unescape(atob(eval(x '.repeat(20_000)}</script>`],
  ['literals in scripts', `<script>document.write(${'"a" + '.repeat(100_000)}</script>`],
  ['links to many sites', Array.from({ length: 2500 }, (_, i) => `<a href=https://s${i}.example/>x</a>`).join('')],
  ['fields', `<form action=x.php>${'<input name=card_number placeholder="e-mail password otp">'.repeat(3000)}`],
];

describe('analyzes a hostile page in bounded time:', () => {
  test.each(TRAPS)('%s', (_, html) => {
    expect(cpuMs(() => featuresOf(html + PASSWORD), LIMIT_MS)).toBeLessThan(LIMIT_MS);
  });

  test.each(parts.filter((vector) => vector.parts).map((vector) => [vector.id, vector.parts ?? []] as const))(
    '%s',
    (_, made) => {
      const html = made
        .map((part) =>
          (part.repeat ?? part.text ?? 'a=1 ').repeat(part.repeat === undefined ? 1 : Math.min(part.n ?? 0, 200_000)),
        )
        .join('');
      expect(cpuMs(() => featuresOf(html.slice(0, 2 * 1024 * 1024)), LIMIT_MS)).toBeLessThan(LIMIT_MS);
    },
  );
});

test('analyzes random markup without an exception', () => {
  const pieces = [
    '<form ',
    'action="',
    'x.php',
    '">',
    '<input type=password',
    '<title>',
    'Paywell',
    '©',
    '\0',
    '&#83;',
    '<!--',
    '-->',
    "'",
    '<svg>',
    '\ud800',
    '<template>',
    '</',
    '<base href=',
    'javascript:',
    '//[',
  ];
  const random = createRandom(3);
  for (let round = 0; round < 400; round++) {
    const html = Array.from({ length: 40 }, () => random.pick(pieces)).join('');
    for (const feature of Object.values(featuresOf(html))) {
      const { value } = feature;
      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThanOrEqual(1);
      expect(said(feature).isWellFormed()).toBe(true);
    }
  }
});
