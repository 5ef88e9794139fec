import { expect, test } from 'bun:test';
import { CANARIES } from '#src/app/canaries.ts';
import { SETTINGS } from '#src/app/config.ts';
import { openEngine, STORE_NONE } from '#src/app/engine.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { checkAllLines } from '#src/interfaces/cli/check/check-all-lines.ts';
import type { FormatStyle } from '#src/interfaces/cli/check/check-format.ts';
import { checkLines } from '#src/interfaces/cli/check/check-lines.ts';
import type { LineChecker } from '#src/interfaces/cli/check/check-one.ts';
import { emptyTally, type FormattedOutcomes } from '#src/interfaces/cli/check/formatted-outcomes.ts';
import { goldenUrls } from '#test/engine/lexical/golden-urls.ts';
import { ordinaryUrl } from '#test/support/ordinary-urls.ts';

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
  await using engine = await openEngine(CONFIG, { store: STORE_NONE, logger: createLogger('error', () => {}) });
  let here = 0;
  const checker: LineChecker = {
    ...engine,
    offlineVerdict(target) {
      here++;
      return engine.offlineVerdict(target);
    },
    check: {
      check: (request) => {
        here++;
        return engine.check.check(request);
      },
    },
  };
  const whole = { text: '', diagnostics: '', tally: emptyTally() };
  const add = ({ text, diagnostics, tally }: FormattedOutcomes) => {
    whole.text += text;
    whole.diagnostics += diagnostics;
    for (const how of ['allow', 'warn', 'block', 'failed'] as const) whole.tally[how] += tally[how];
  };
  const start = { config, options: OPTIONS, style: TSV };
  for await (const written of checkAllLines(stdin(), checker, start, threadCount, 16)) add(written);
  return { whole, here };
}

const alone = await checked(0);

test('on one core every line has a result in its place, and an invalid line is reported by its number', () => {
  const wanted = TEXT.split('\n').filter((line) => line.trim() !== '');
  expect(Array.from(alone.whole.text.match(/^[^\t]+/gm) ?? [])).toEqual(wanted);
  const bad = Array.from({ length: LINES }, (_, n) => n).filter((n) => n % 97 === 1);
  const numbers = [...alone.whole.diagnostics.matchAll(/^lurecheck: line (\d+): the URL /gm)].map(([, line]) => line);
  expect(numbers).toEqual(bad.map((n) => String(n + 1)));
  expect(alone.whole.tally.failed).toBe(bad.length);
  expect(Object.values(alone.whole.tally).reduce((sum, count) => sum + count)).toBe(wanted.length);
});

test('threads produce the same bytes in the same order, and do part of the work', async () => {
  const shared = await checked(2);
  expect(shared.whole).toEqual(alone.whole);
  expect(shared.here).toBeLessThan(alone.here);
});

test('lines that a thread cannot check are checked in the main thread', async () => {
  // With thresholds the wrong way round, no engine opens.
  const broken = await checked(2, { ...CONFIG, warn_threshold: 0.9, block_threshold: 0.1 });
  expect(broken.whole).toEqual(alone.whole);
  expect(broken.here).toBe(alone.here);
});

test('a row of tsv has the same values as the JSON result', async () => {
  await using engine = await openEngine(CONFIG, { store: STORE_NONE, logger: createLogger('error', () => {}) });
  const urls = [...Array.from({ length: 400 }, (_, n) => ordinaryUrl(n)), ...CANARIES.map(({ url }) => url)];
  const lines = ['https://user:secret@example.com/', 'no url', ...urls].map((text, n) => ({ number: n + 1, text }));
  const [tsv, json] = await Promise.all([
    checkLines(lines, engine, { options: OPTIONS, style: TSV }),
    checkLines(lines, engine, { options: OPTIONS, style: { ...TSV, format: 'ndjson' } }),
  ]);
  const rows = json.text.split('\n').flatMap((line) => {
    if (line === '') return [];
    const { url, malicious_probability: probability, decision } = JSON.parse(line);
    return decision === undefined ? [[url, '', 'error']] : [[url, String(probability), decision]];
  });
  expect(rows).toHaveLength(lines.length);
  expect(tsv.text).toBe(rows.map((row) => `${row.join('\t')}\n`).join(''));
  expect(tsv.tally).toEqual(json.tally);
});
