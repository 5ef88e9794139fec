import { expect, test } from 'bun:test';
import type { Row } from '#src/training/data/dataset.ts';
import { describeCampaigns } from '#src/training/measure/campaigns.ts';
import { MODELS } from '#test/support/models.ts';

test('replays rows by date: a trait is a signal after three sites', () => {
  const day = (index: number) => `2026-03-${String(1 + index).padStart(2, '0')}`;
  const rowOf = (index: number, phishing: boolean, path: string): Row => {
    const site = `kunden-konto-${phishing ? 'neu' : 'garten'}${index}.example`;
    return {
      phishing,
      source: 'synthetic',
      date: day(index),
      canon: `${site}${path}`,
      site,
      hosted: false,
      bare: path === '',
    };
  };
  const rows = [
    // Backwards, so that only their days bring them into order; one has none.
    ...[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((index) => rowOf(index, true, '/gykolrhup')),
    { ...rowOf(10, true, '/gykolrhup'), date: '' },
    ...[0, 1, 2].map((index) => rowOf(index, true, `/einmal${'abc'[index]}`)),
    ...[3, 4].map((index) => rowOf(index, true, '')),
    ...[0, 1, 2, 3, 4].map((index) => rowOf(index, false, `/verein${'abcde'[index]}`)),
  ];
  const text = describeCampaigns(
    {
      name: 'later',
      rows,
      labels: Uint8Array.from(rows, ({ phishing }) => (phishing ? 1 : 0)),
      // Phishing is a little below a warning, and all else beyond doubt.
      scores: Float64Array.from(rows, ({ phishing }) => (phishing ? 2.7 : -5)),
      sources: rows.map(({ source }) => source),
      weights: new Float64Array(rows.length),
    },
    { knowledge: MODELS.knowledge, fusion: MODELS.fusion, calibration: { slope: 1, offset: 0, curve: 0 } },
  );
  const [phishing, benign] = text.split('\n').filter((line) => line.startsWith('| all |'));
  expect(phishing).toBe('| all | phishing | 15 | 13 | 7 | 7 | 0 |');
  expect(benign).toBe('| all | benign | 5 | 5 | 0 | 0 | 0 |');
});
