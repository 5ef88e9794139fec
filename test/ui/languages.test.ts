import { expect, test } from 'bun:test';
import { COMPONENTS, FEATURE_NAMES } from '#src/analyzers/index.ts';
import { CERTIFICATE_FAULTS } from '#src/certificate/info.ts';
import { COLUMN_GROUPS } from '#src/lexical/column-groups.ts';
import { MissedStatusSchema } from '#src/record/lookup-status.ts';
import { gapsOf } from '#src/record/reasons/match-sentence.ts';
import { SENTENCES } from '#src/record/reasons/sentences.ts';
import { isLanguageTag, LANGUAGES, type LanguageTag, preferredLanguage } from '#src/ui/languages/known.ts';
import type { Language } from '#src/ui/languages/language.ts';
import { createSpeaker } from '#src/ui/languages/speak.ts';

const all = await Promise.all(
  Object.entries(LANGUAGES).map(async ([tag, { load }]) => [tag, await load()] as [LanguageTag, Language]),
);
const english: Language = await LANGUAGES.en.load();
const others = all.filter(([tag]) => tag !== 'en');
const speakerOf = async (tag: LanguageTag) => createSpeaker(tag, await LANGUAGES[tag].load());
const stemOf = (key: string) => key.replace(/\.(one|two|few|many)$/, '.other');
const placeholdersOf = (sentence: string) => [...new Set(sentence.match(/\{\w+\}/g))].sort();

test.each(others)('%s says every sentence, and fills in the same values', (_, language: Language) => {
  const missing = Object.keys(english.sentences).filter((key) => !language.sentences[stemOf(key)]);
  expect(missing).toEqual([]);
  for (const [key, sentence] of Object.entries(language.sentences)) {
    expect(english.sentences[stemOf(key)] ?? english.sentences[key]).toBeDefined();
    expect([key, placeholdersOf(sentence)]).toEqual([key, placeholdersOf(english.sentences[stemOf(key)] ?? '')]);
  }
});

test.each(all)('%s has no empty sentence and no stray white space', (_, language: Language) => {
  const sentences = [
    ...Object.values(language.sentences),
    ...Object.values(language.reasons),
    ...Object.values(language.told),
  ];
  expect(sentences.filter((sentence) => sentence.trim() === '' || sentence !== sentence.trim())).toEqual([]);
});

test('the English button begins with the word by which programs find it', async () => {
  const say = await speakerOf('en');
  expect(say('check.submit')).toBe('Check');
  expect(say.count('check.submit', 12)).toBe('Check 12 links');
});

test('a number takes the form that its language wants', async () => {
  expect((await speakerOf('en')).count('registration.age', 1)).toBe('1 day old');
  expect((await speakerOf('de')).count('registration.age', 2)).toBe('2 Tage alt');
  expect((await speakerOf('fr')).count('history.shown', 0)).toBe('0 vérification');
  expect((await speakerOf('ja')).count('history.shown', 1)).toBe('1 件を表示');
});

test('names that come from the service find a sentence or nothing, never a member of an object', async () => {
  const say = await speakerOf('de');
  expect(say.maybe('status.timeout', '?')).toBe('keine Antwort in der Zeit');
  for (const name of ['constructor', '__proto__', 'toString', '']) {
    expect(say.maybe(name, 'as it came')).toBe('as it came');
    expect(say.reason(name)).toBeNull();
  }
});

test("the reader's languages are tried in order, English is the last resort", () => {
  expect(preferredLanguage(['pt-BR', 'fr-CA', 'de'])).toBe('fr');
  expect(preferredLanguage(['zh', 'ko-KR'])).toBe('en');
  expect(preferredLanguage([])).toBe('en');
  expect(isLanguageTag('toString')).toBe(false);
});

test.each(others)('%s has reasons for codes that the engine gives, and for no other', (_, language: Language) => {
  const known = new Set<string>([...FEATURE_NAMES, ...COLUMN_GROUPS.map((group) => `url.${group}`)]);
  for (const code of ['url.popular_site', 'url.other_patterns']) known.add(code);
  expect(Object.keys(language.reasons).filter((code) => !known.has(code))).toEqual([]);
});

test.each(others)('%s tells reasons by what their sentences name, and by nothing else', (_, language: Language) => {
  const gaps = new Map(
    SENTENCES.map(([code, sentence, kind]) => [kind === undefined ? code : `${code}.${kind}`, gapsOf(sentence)]),
  );
  expect(Object.keys(language.told).filter((key) => !gaps.has(key))).toEqual([]);
  for (const [key, sentence] of Object.entries(language.told)) {
    const known = gaps.get(key)?.map((gap) => `{${gap}}`) ?? [];
    expect([key, placeholdersOf(sentence).filter((name) => !known.includes(name))]).toEqual([key, []]);
  }
});

test('a reason is a whole sentence in the language of the reader, with what was seen', async () => {
  const say = await speakerOf('de');
  expect(say.told('url.suffix', { kind: 'many', suffix: 'example' })).toBe(
    'Von den bekannten Namen unter .example sind viele Phishing.',
  );
  expect(say.told('url.suffix', {})).toBeNull();
  expect(say.told('constructor', {})).toBeNull();
  expect((await speakerOf('en')).told('url.suffix', { kind: 'many', suffix: 'example' })).toBeNull();
});

test('every fault of a certificate and every status of a look-up has a sentence', async () => {
  const say = await speakerOf('en');
  expect(CERTIFICATE_FAULTS.filter((fault) => say.maybe(`fault.${fault}`, '') === '')).toEqual([]);
  const statuses: readonly string[] = MissedStatusSchema['enum'];
  expect(statuses.filter((status) => say.maybe(`status.${status}`, '') === '')).toEqual([]);
});

test('every component has a label in English: `component.NAME` in src/ui/languages/en.ts', async () => {
  const say = await speakerOf('en');
  expect(COMPONENTS.filter((component) => say.maybe(`component.${component}`, '') === '')).toEqual([]);
});
