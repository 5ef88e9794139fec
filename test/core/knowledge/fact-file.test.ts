import { describe, expect, test } from 'bun:test';
import { isNameLines, readFacts } from '#src/core/knowledge/fact-file.ts';

const GOOD = { source: 'a list', retrieved: '2026-01-31', licence: 'CC0', entries: ['a.example b.example'] };

test('a valid fact file returns its entries', () => {
  expect(readFacts('x.json', GOOD, isNameLines)).toEqual(['a.example b.example']);
});

describe('a damaged fact file stops the start, and the error names it', () => {
  test.each([
    ['no object', null],
    ['without a source', { ...GOOD, source: '' }],
    ['without a licence', { ...GOOD, licence: undefined }],
    ['with a month for a day', { ...GOOD, retrieved: '2026-01' }],
    ['without entries', { source: 'a', retrieved: '2026-01-31', licence: 'b' }],
    ['with an entry of another form', { ...GOOD, entries: ['a.example  b.example'] }],
    ['with an entry that is no text', { ...GOOD, entries: [7] }],
  ])('%s', (_, file) => {
    expect(() => readFacts('x.json', file, isNameLines)).toThrow(/^x\.json/);
  });
});
