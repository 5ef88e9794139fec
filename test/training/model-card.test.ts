import { expect, test } from 'bun:test';
import { updateModelCard } from '#src/training/measure/model-card.ts';
import { MODELS } from '#test/support/models.ts';

const evaluation = (text: string) => ({ folds: [], dev: [], thresholds: { warn: 0.5, block: 0.9 }, text });

test('a new measurement replaces the old one and keeps the part written by hand', () => {
  const first = `${updateModelCard(null, MODELS.lexical, evaluation('first figures'))}\n## By hand\n`;
  const second = updateModelCard(first, MODELS.lexical, evaluation('second figures'));
  expect(second).toContain('second figures');
  expect(second).not.toContain('first figures');
  expect(second.endsWith('\n## By hand\n')).toBe(true);
  expect(updateModelCard(second, MODELS.lexical, evaluation('second figures'))).toBe(second);
});
