import { expect, test } from 'bun:test';
import { createLogger } from '#src/core/base/logger.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { checkAllLines } from '#src/interfaces/cli/check/check-all-lines.ts';
import type { FormatStyle } from '#src/interfaces/cli/check/check-format.ts';
import type { Checker } from '#src/interfaces/cli/check/check-one.ts';
import { emptyTally } from '#src/interfaces/cli/check/tally.ts';
import type { WrittenOutcomes } from '#src/interfaces/cli/check/formatted-outcomes.ts';
import { SETTINGS } from '#src/app/config.ts';
import { KEEP_NONE, openEngine } from '#src/app/engine.ts';
import { goldenUrls } from '#test/engine/lexical/golden-urls.ts';

const CONFIG = { ...defaultsOf(SETTINGS), network: 'none', data_dir: '/nonexistent' } as const;
const OPTIONS = { visibility: 'private', withObservations: false, withTrace: false } as const;
const TSV: FormatStyle = { format: 'tsv', isList: true, colour: false };

/** Enough for threads to be worth it. */
const LINES = 6000;
const lineOf = (n: number) =>
  n % 97 === 1 ? `http://a b/${n}` : n % 89 === 2 ? '  ' : `${goldenUrls[n % goldenUrls.length]}#${n}`;
const TEXT = Array.from({ length: LINES }, (_, n) => `${lineOf(n)}\n`).join('');

async function* stdin(): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(TEXT);
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

/** What comes of the lines with so many threads, and how many checks were done in this one. */
async function checked(threadCount: number, config: Parameters<typeof checkAllLines>[2]['config'] = CONFIG) {
  await using engine = await openEngine(CONFIG, { keep: KEEP_NONE, logger: createLogger('error', () => {}) });
  let here = 0;
  const checker: Checker = {
    ...engine,
    check: {
      check: (request) => {
        here++;
        return engine.check.check(request);
      },
    },
  };
  const whole = { text: '', complaints: '', tally: emptyTally() };
  const add = ({ text, complaints, tally }: WrittenOutcomes) => {
    whole.text += text;
    whole.complaints += complaints;
    for (const how of ['allow', 'warn', 'block', 'failed'] as const) whole.tally[how] += tally[how];
  };
  const start = { config, options: OPTIONS, style: TSV };
  for await (const written of checkAllLines(stdin(), checker, start, threadCount)) add(written);
  return { whole, here };
}

const alone = await checked(0);

test('on one core every line is answered in its place, and a bad one complained of by its number', () => {
  const wanted = TEXT.split('\n').filter((line) => line.trim() !== '');
  expect(Array.from(alone.whole.text.match(/^[^\t]+/gm) ?? [])).toEqual(wanted);
  const bad = Array.from({ length: LINES }, (_, n) => n).filter((n) => n % 97 === 1);
  const numbers = [...alone.whole.complaints.matchAll(/^lurecheck: line (\d+): the URL /gm)].map(([, line]) => line);
  expect(numbers).toEqual(bad.map((n) => String(n + 1)));
  expect(alone.whole.tally.failed).toBe(bad.length);
  expect(Object.values(alone.whole.tally).reduce((sum, count) => sum + count)).toBe(wanted.length);
});

test('threads give the same bytes in the same order, and do a part of the work', async () => {
  const shared = await checked(2);
  expect(shared.whole).toEqual(alone.whole);
  expect(shared.here).toBeLessThan(alone.here);
});

test('what a thread cannot do is done here', async () => {
  // With thresholds the wrong way round, no engine opens.
  const broken = await checked(2, { ...CONFIG, warn_threshold: 0.9, block_threshold: 0.1 });
  expect(broken.whole).toEqual(alone.whole);
  expect(broken.here).toBe(alone.here);
});
