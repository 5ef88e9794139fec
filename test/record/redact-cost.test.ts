import { expect, test } from 'bun:test';
import { redactText, redactUrl } from '#src/record/redact/redact-text.ts';
import { shortCpuMs } from '#test/support/cpu-time.ts';
import { createRandom } from '#test/support/random.ts';
import { drawPieces, findSlowUrl, serve } from './slow-url.ts';

const LENGTH = 65_536;
const MASKING = { severity: 'secrets', onSecret: () => {} } as const;

function redact(text: string): void {
  redactUrl(`http://a.example/?a=${text}`, MASKING);
  redactText(text, MASKING);
}

const random = createRandom(20261120);
const HOSTILE = [
  'eyJ',
  '\ud800@',
  '%25',
  '%2525',
  '@',
  '1',
  'a=a=a=',
  '&',
  '.',
  '://',
  '"a":"',
  '/reset/abcd',
  'token=a&',
  ...Array.from({ length: 4 }, () => drawPieces(random).join('')),
];

test.each(HOSTILE)('twice as much of %j takes twice as long to mask', (unit) => {
  const once = unit.repeat(LENGTH / unit.length);
  const twice = once + once;
  const growth = () => shortCpuMs(() => redact(twice)) / shortCpuMs(() => redact(once));
  // A measurement may fall on the moment at which the code is compiled.
  expect([growth, growth, growth].some((measure) => measure() < 3)).toBe(true);
});

test('the slowest URL that a search finds costs the serving thread less than 5 ms', () => {
  const wallMs = (url: string) => {
    const startMs = performance.now();
    serve(url);
    serve(url);
    return performance.now() - startMs;
  };
  const url = findSlowUrl(createRandom(1), 150, wallMs);
  expect(
    shortCpuMs(() => serve(url)),
    url.slice(0, 100),
  ).toBeLessThan(5);
});
