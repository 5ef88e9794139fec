import { expect, test } from 'bun:test';
import { Glob } from 'bun';
import { CONDITION_CODES } from '#src/app/parts.ts';
import { MissedStatusSchema } from '#src/checks/record/lookups.ts';
import {
  isLanguageTag,
  LANGUAGES,
  type LanguageTag,
  preferredLanguage,
  regionOf,
} from '#src/core/languages/languages.ts';
import { readTexts } from '#src/core/languages/read-texts.ts';
import { COMPONENTS, FEATURE_NAMES } from '#src/engine/analyzers/index.ts';
import { COLUMN_GROUPS } from '#src/engine/lexical/reason.ts';
import { REASONS } from '#src/engine/reasons/catalogue.ts';
import { createSpeaker } from '#src/interfaces/ui/languages/speak.ts';
import { CERTIFICATE_FAULTS } from '#src/network/certificate/info.ts';
import { ALERT_CODES } from '#src/parts/monitoring/alerts/alert.ts';

type Texts = Readonly<Record<string, string>>;

const TEXTS = readTexts();
const ofLanguages = Object.entries(TEXTS).map(([tag, texts]) => [tag as LanguageTag, texts] as const);
const all = ofLanguages.map(([tag, { page }]) => [tag, page] as const);
const english: Texts = TEXTS.en.page.sentences;
const speakerOf = (tag: LanguageTag) => createSpeaker(tag, TEXTS[tag].page);
/** All texts of a language by their paths in its file, such as `page/sentences/check.submit`. */
function textsByPath(texts: object, parent = ''): [path: string, text: string][] {
  return Object.entries(texts).flatMap(([key, one]) =>
    typeof one === 'string' ? [[`${parent}${key}`, one]] : textsByPath(one, `${parent}${key}/`),
  );
}

/** Paths of plural forms. A reason may have a kind of such a name, which is no form. */
const PLURAL = /^(page\/sentences\/.+)\.(?:zero|one|two|few|many)$/;

/** Paths of texts but of plural forms. */
const pathsIn = (texts: object) => textsByPath(texts).flatMap(([path]) => (PLURAL.test(path) ? [] : path));

const gapsIn = (sentence: string) =>
  [...new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort();

test.each(ofLanguages)('%s has the placeholders of English in each text', (_, texts) => {
  const inEnglish = new Map(textsByPath(TEXTS.en));
  for (const [path, text] of textsByPath(texts)) {
    const wanted = gapsIn(inEnglish.get(path.replace(PLURAL, '$1.other')) ?? '');
    // Where a form stands for one number alone, the number need not be said.
    const isNumberSaid = !/\.(zero|one|two)$/.test(path) || gapsIn(text).includes('count');
    expect([path, gapsIn(text)]).toEqual([path, isNumberSaid ? wanted : wanted.filter((gap) => gap !== 'count')]);
  }
});

test('French has no normal space before punctuation or after an opening quotation mark', () => {
  expect(textsByPath(TEXTS.fr).filter(([, text]) => /« | [»:;!?]/.test(text))).toEqual([]);
});

test.each(all)('%s has exactly the plural forms of its language', (tag, { sentences }) => {
  const rules = new Intl.PluralRules(tag);
  // What is counted here stays below: of a million, some languages speak otherwise.
  const forms = new Set(Array.from({ length: 10_000 }, (_, count) => rules.select(count)));
  const stems = Object.keys(english).flatMap((key) => /^(.+)\.other$/.exec(key)?.[1] ?? []);
  const inFile = Object.keys(sentences).filter((key) => /\.(zero|one|two|few|many|other)$/.test(key));
  expect(inFile.toSorted()).toEqual(stems.flatMap((stem) => [...forms].map((form) => `${stem}.${form}`)).toSorted());
});

test('every language of the list has a file, and no other', () => {
  const files = [...new Glob('*.json').scanSync('src/core/languages')].map((name) => name.replace('.json', ''));
  expect(files.toSorted()).toEqual(Object.keys(LANGUAGES).toSorted());
});

test.each(ofLanguages)('%s has the keys of English in each section, in their order, and no empty text', (_, texts) => {
  expect(pathsIn(texts)).toEqual(pathsIn(TEXTS.en));
  expect(textsByPath(texts).filter(([, text]) => text === '' || text !== text.trim())).toEqual([]);
});

test('the console has fewer than 12 texts equal to English in each other language', () => {
  const inEnglish: Texts = TEXTS.en.console;
  for (const [tag, { console }] of ofLanguages) {
    const same = Object.entries<string>(console).filter(([key, text]) => text === inEnglish[key]);
    expect([tag, tag === 'en' || same.length < 12]).toEqual([tag, true]);
  }
});

const gapsOfReasons = new Map(
  REASONS.map(([, code, sentence, kind]): [string, string[]] => [
    kind === undefined ? code : `${code}.${kind}`,
    gapsIn(sentence),
  ]),
);

test.each(all)('%s uses every placeholder that a reason provides', (_, { reasons }) => {
  for (const [key, sentence] of Object.entries<string>(reasons)) {
    expect([key, gapsIn(sentence)]).toEqual([key, gapsOfReasons.get(key) ?? []]);
  }
});

test.each(all)('%s has a heading and a sentence for every code that the engine can return', (_, language) => {
  const { headings, reasons }: { readonly headings: Texts; readonly reasons: Texts } = language;
  const groups = COLUMN_GROUPS.filter((group) => group !== 'other').map((group) => `url.${group}`);
  const codes = [...FEATURE_NAMES, ...groups, 'url.other_patterns', 'url.popular_site'];
  expect(codes.filter((code) => headings[code] === undefined)).toEqual([]);
  const said = new Set<string>(
    REASONS.flatMap(([, code, , kind]) => (reasons[kind ? `${code}.${kind}` : code] ? code : [])),
  );
  expect(codes.filter((code) => !said.has(code))).toEqual([]);
});

test('the label of the English submit button begins with “Check”, which scripts search for', () => {
  const say = speakerOf('en');
  expect(say('check.submit')).toBe('Check');
  expect(say.count('check.submit', 12)).toBe('Check 12 links');
});

test('selects the plural form that the language requires', () => {
  expect(speakerOf('en').count('registration.age', 1)).toBe('1 day old');
  expect(speakerOf('de').count('check.will.more', 1)).toBe('und 1 weiterer');
  expect(speakerOf('de').count('check.will.more', 2)).toBe('und 2 weitere');
  expect(speakerOf('fr').count('history.shown', 0)).toBe('0 vérification affichée');
  expect(speakerOf('ja').count('history.shown', 1)).toBe('1 件を表示');
});

test('an unknown name from the service returns the fallback, never a member of an object', () => {
  const say = speakerOf('de');
  expect(say.maybe('status.timeout', '?')).toBe('keine rechtzeitige Antwort');
  for (const name of ['constructor', '__proto__', 'toString', '']) {
    expect(say.maybe(name, 'as it came')).toBe('as it came');
    expect([say.heading(name), say.reason(name, {}), say.word(name)]).toEqual([null, null, null]);
  }
  expect(say.reason('url.suffix', {})).toBeNull();
  expect(say.reason('url.suffix', { kind: 'constructor' })).toBeNull();
});

test('selects the first supported language of the reader, and English if none is supported', () => {
  expect(preferredLanguage(['nl-BE', 'fr-CA', 'de'])).toBe('fr');
  expect(preferredLanguage(['zh', 'ko-KR'])).toBe('en');
  expect(preferredLanguage([])).toBe('en');
  expect(isLanguageTag('toString')).toBe(false);
});

test('formats numbers and dates for the preferred region if it belongs to the language', () => {
  expect(regionOf('en', ['de', 'en-GB', 'en'])).toBe('en-GB');
  expect(regionOf('de', ['en-GB'])).toBe('de');
});

test('every certificate fault and every lookup status has a sentence', () => {
  const say = speakerOf('en');
  expect(CERTIFICATE_FAULTS.filter((fault) => say.maybe(`fault.${fault}`, '') === '')).toEqual([]);
  const statuses: readonly string[] = MissedStatusSchema['enum'];
  expect(statuses.filter((status) => say.maybe(`status.${status}`, '') === '')).toEqual([]);
});

test('every component has a label in English: `component.NAME` in src/core/languages/en.json', () => {
  const say = speakerOf('en');
  expect(COMPONENTS.filter((component) => say.maybe(`component.${component}`, '') === '')).toEqual([]);
});

test('each condition of the service has a sentence of the console', () => {
  const texts = TEXTS.en.console;
  const codes = [...ALERT_CODES, ...CONDITION_CODES, 'log_unavailable'];
  expect(codes.filter((code) => !(`condition.${code}` in texts))).toEqual([]);
  const named = Object.keys(texts).filter((key) => key.startsWith('condition.'));
  expect(named.toSorted()).toEqual(codes.map((code) => `condition.${code}`).toSorted());
});
