import { expect, test } from 'bun:test';
import { readTexts } from '#src/core/languages/read-texts.ts';
import { FEATURE_NAMES } from '#src/engine/analyzers/index.ts';
import { COLUMN_GROUPS } from '#src/engine/lexical/reason.ts';
import { MESSAGE_FEATURES } from '#src/engine/mail-verdict/assess-message.ts';
import { COUNTERFACTUAL, REASONS, WAYS } from '#src/engine/reasons/catalogue.ts';
import { MESSAGE_REASONS } from '#src/engine/reasons/reason.ts';
import { entryFor, fillEntry, isSentence, sentenceOf } from '#src/engine/reasons/sentence.ts';

const URL_CODES = [...COLUMN_GROUPS.map((group) => `url.${group}`), 'url.other_patterns', 'url.popular_site'];
const gapsOf = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

test('has a sentence for each reason of the analyzers, and for no other reason', () => {
  const codes = new Set<string>(REASONS.map(([, code]) => code));
  expect(FEATURE_NAMES.filter((name) => !codes.has(name))).toEqual([]);
  expect(codes.difference(new Set([...FEATURE_NAMES, ...URL_CODES]))).toEqual(new Set());
});

test('has a sentence and a heading in each language for each reason of a message, with the same placeholders', () => {
  expect(MESSAGE_REASONS.map(([, code]) => code).toSorted()).toEqual([...MESSAGE_FEATURES].toSorted() as never);
  for (const [tag, { mail }] of Object.entries(readTexts())) {
    const { headings, reasons }: Record<'headings' | 'reasons', Readonly<Record<string, string>>> = mail;
    for (const [, code, sentence] of MESSAGE_REASONS) {
      const said = reasons[code] ?? '';
      if (tag === 'en') expect(said).toBe(sentence);
      expect([code, tag, headings[code] !== undefined, gapsOf(said).toSorted()]).toEqual([
        ...[code, tag, true],
        gapsOf(sentence).toSorted(),
      ]);
    }
  }
});

test('finds every row by code and kind, and fills the placeholders of its sentence', () => {
  const rows: readonly (readonly [number, string, string, string?])[] = [...REASONS, ...MESSAGE_REASONS];
  for (const [number, code, sentence, kind] of rows) {
    const args = {
      ...(kind !== undefined && { kind }),
      ...Object.fromEntries(gapsOf(sentence).map((gap) => [gap, `a ${gap}`])),
    };
    expect(entryFor(code, args)?.number).toBe(number);
    const filled = sentence.replace(/\{(\w+)\}/g, 'a $1');
    expect(sentenceOf({ code, args })).toBe(filled);
    const entry = entryFor(code, args);
    for (const text of entry ? [filled, `${filled}.`, filled.slice(0, -1), `A${filled}`] : []) {
      expect(entry && isSentence(text, [], entry, args)).toBe(text === filled);
    }
    expect(gapsOf(sentence)).toEqual([...new Set(gapsOf(sentence))]);
  }
});

test('a reason of another version has no row', () => {
  expect(entryFor('url.suffix', { kind: 'none', suffix: 'example' })).toBeUndefined();
  expect(entryFor('url.suffix', { kind: 'many' })).toBeUndefined();
  expect(entryFor('constructor', {})).toBeUndefined();
});

test('a sentence that ends with a value has one full stop', () => {
  const entry = entryFor('certificate.names_an_organisation', { host: '', owner: '' });
  expect(entry && fillEntry(entry, { host: 'a.example', owner: 'Example Inc.' })).toEndWith(', Example Inc.');
  expect(entry && fillEntry(entry, { host: 'a.example', owner: 'Example' })).toEndWith(', Example.');
});

test('each number is unique', () => {
  const numbers: readonly number[] = [
    ...REASONS.map(([number]) => number),
    ...MESSAGE_REASONS.map(([number]) => number),
    COUNTERFACTUAL[0],
    ...WAYS.map(([number]) => number),
  ];
  expect(new Set(numbers).size).toBe(numbers.length);
});

/** Numbers, codes, kinds and gaps of the rows that stored records refer to: how many, and SHA-256 of their JSON. */
const STORED = { count: 152, sha256: '5fe0a7bfaf7a70d3d75578dbc32a2195a9ee9ec7ed81f0229522e2bf0615f56f' };

test('numbers in stored records keep their meaning', () => {
  const rows: readonly (readonly [number, string, string, string?])[] = REASONS;
  const stored = rows
    .toSorted(([a], [b]) => a - b)
    .map(([number, code, sentence, kind]) => [number, code, gapsOf(sentence), kind ?? null])
    .slice(0, STORED.count);
  expect(new Bun.CryptoHasher('sha256').update(JSON.stringify(stored)).digest('hex')).toBe(STORED.sha256);
});

test('recognizes a sentence about another URL, whose last value ends it', () => {
  const code = REASONS.find(([, , sentence]) => sentence.endsWith('}.'))?.[1] ?? '';
  const [, , sentence = ''] = REASONS.find(([, other]) => other === code) ?? [];
  const args = Object.fromEntries(gapsOf(sentence).map((gap) => [gap, 'what ends?']));
  const ways = [{ how: 'inside', host: 'inner.example' }] as const;
  const entry = entryFor(code, args);
  const text = sentenceOf({ code, args, ways });
  expect(text).toEndWith('?');
  expect(entry && isSentence(text, ways, entry, args)).toBe(true);
  expect(entry && isSentence(`${text}.`, ways, entry, args)).toBe(false);
  expect(entry && isSentence(text, [], entry, args)).toBe(false);
});
