import { describe, expect, test } from 'bun:test';
import { createEvaluation, evaluateParts } from '#src/engine/lexical/evaluate-url.ts';
import { COLUMNS } from '#src/engine/lexical/features.ts';
import { computeGolden, readGolden, writeGolden } from '#src/engine/lexical/golden.ts';
import { scoreUrl } from '#src/engine/lexical/score.ts';
import { partsOf } from '#src/engine/lexical/url-parts.ts';
import { targetOf } from '#test/support/target.ts';
import { golden, goldenUrls } from './golden-urls.ts';
import { model } from './open-model.ts';

// A new model changes these numbers: look at the difference, then `bun test --update-snapshots test/engine/lexical`.
test('the log-odds of the pinned URLs match the snapshot', () => {
  const lines = goldenUrls.map((url) => {
    const logOdds = scoreUrl(model, targetOf(url)).reduce((sum, term) => sum + term.logOdds, 0);
    return `${logOdds.toFixed(3).padStart(8)}  ${url}`;
  });
  expect(lines.join('\n')).toMatchSnapshot();
});

describe('the row of a URL', () => {
  // Where this fails, code or facts have changed what a column means: train anew, or give it back its meaning.
  test('is the same as when the model was trained', () => {
    expect(goldenUrls.length).toBeGreaterThan(100);
    expect(computeGolden(model, goldenUrls.map(targetOf))).toEqual(golden);
  });

  test('differs for every URL, and for every additional column', () => {
    expect(new Set(golden.rows.map(({ hash }) => hash)).size).toBe(goldenUrls.length);
    const [{ hash: seen } = { hash: '' }] = computeGolden(model, [targetOf('https://a-b.example/c?d=e')]).rows;
    const changed = {
      ...model,
      tables: { ...model.tables, nameGrams: { ...model.tables.nameGrams, surprise: () => 0 } },
    };
    expect(computeGolden(changed, [targetOf('https://a-b.example/c?d=e')]).rows[0]?.hash).not.toBe(seen);
  });

  test('has a value in every column', () => {
    const evaluation = createEvaluation();
    evaluation.row.fill(Number.NaN);
    evaluateParts(model, partsOf(targetOf('http://paypal.a-b.example/c.html?d=e'), model.knowledge), evaluation);
    expect(COLUMNS.filter((_, column) => Number.isNaN(evaluation.row[column]))).toEqual([]);
    expect(evaluation.row.length).toBe(COLUMNS.length);
    expect(new Set(COLUMNS).size).toBe(COLUMNS.length);
  });

  test('round-trips through its file', () => {
    expect(readGolden(writeGolden(golden))).toEqual(golden);
    expect(readGolden('something else')).toEqual({ model: '', rows: [] });
  });
});
