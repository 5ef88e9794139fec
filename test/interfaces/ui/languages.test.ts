import { expect, test } from 'bun:test';
import { CONDITION_CODES } from '#src/app/parts.ts';
import { MissedStatusSchema } from '#src/checks/record/lookups.ts';
import { COMPONENTS, FEATURE_NAMES } from '#src/engine/analyzers/index.ts';
import { COLUMN_GROUPS } from '#src/engine/lexical/reason.ts';
import { REASONS } from '#src/engine/reasons/catalogue.ts';
import { MESSAGE_REASONS } from '#src/engine/reasons/message-catalogue.ts';
import messageTexts from '#src/engine/reasons/message-texts.json' with { type: 'json' };
import { CONSOLE_TEXTS } from '#src/interfaces/ui/console/languages/console-texts.ts';
import { createFormats } from '#src/interfaces/ui/elements/format.ts';
import {
  isLanguageTag,
  LANGUAGES,
  type LanguageTag,
  preferredLanguage,
  regionOf,
} from '#src/interfaces/ui/languages/known.ts';
import { createSpeaker } from '#src/interfaces/ui/languages/speak.ts';
import { mailLocale } from '#src/interfaces/ui/mail/mail-locale.ts';
import mailTexts from '#src/interfaces/ui/mail/mail-texts.json' with { type: 'json' };
import { CERTIFICATE_FAULTS } from '#src/network/certificate/info.ts';
import { ALERT_CODES } from '#src/parts/monitoring/alerts/alert.ts';

type Texts = Readonly<Record<string, string>>;

const all = await Promise.all(
  Object.entries(LANGUAGES).map(async ([tag, { load }]) => [tag as LanguageTag, await load()] as const),
);
const english: Texts = (await LANGUAGES.en.load()).sentences;
const speakerOf = async (tag: LanguageTag) => createSpeaker(tag, await LANGUAGES[tag].load());
const stemOf = (key: string) => key.replace(/\.(zero|one|two|few|many)$/, '.other');
const gapsIn = (sentence: string) =>
  [...new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].sort();

test.each(all)('%s has the same placeholders as English', (_, language) => {
  for (const [key, sentence] of Object.entries<string>(language.sentences)) {
    const wanted = gapsIn(english[stemOf(key)] ?? '');
    // Where a form stands for one number alone, the number need not be said.
    const isNumberSaid = !/\.(zero|one|two)$/.test(key) || gapsIn(sentence).includes('count');
    expect([key, gapsIn(sentence)]).toEqual([key, isNumberSaid ? wanted : wanted.filter((gap) => gap !== 'count')]);
  }
});

test.each(all)(
  '%s has no empty text and no leading or trailing white space',
  (_, { sentences, headings, reasons, words }) => {
    const texts = [sentences, headings, reasons, words].flatMap((one) => Object.values<string>(one));
    expect(texts.filter((text) => text.trim() === '' || text !== text.trim())).toEqual([]);
  },
);

test('French has no normal space before punctuation or after an opening quotation mark', async () => {
  const { sentences, headings, reasons, words } = await LANGUAGES.fr.load();
  const console = await CONSOLE_TEXTS.fr();
  const mails = Object.values(mailTexts).map(({ fr }) => fr);
  const texts = [sentences, headings, reasons, words, console, mails].flatMap((one) => Object.values<string>(one));
  expect(texts.filter((text) => /« | [»:;!?]/.test(text))).toEqual([]);
});

test.each(all)('%s has exactly the plural forms of its language', (tag, { sentences }) => {
  const rules = new Intl.PluralRules(tag);
  // What is counted here stays below: of a million, some languages speak otherwise.
  const forms = new Set(Array.from({ length: 10_000 }, (_, count) => rules.select(count)));
  const stems = Object.keys(english).flatMap((key) => /^(.+)\.other$/.exec(key)?.[1] ?? []);
  const inFile = Object.keys(sentences).filter((key) => /\.(zero|one|two|few|many|other)$/.test(key));
  expect(inFile.toSorted()).toEqual(stems.flatMap((stem) => [...forms].map((form) => `${stem}.${form}`)).toSorted());
});

const ofConsole = await Promise.all(
  Object.entries(CONSOLE_TEXTS).map(async ([tag, load]) => [tag as LanguageTag, (await load()) as Texts] as const),
);
const consoleEnglish: Texts = await CONSOLE_TEXTS.en();

test.each(ofConsole)(
  '%s of the console has the same keys and placeholders as English, and no empty text',
  (_, texts) => {
    expect(Object.keys(texts)).toEqual(Object.keys(consoleEnglish));
    for (const [key, sentence] of Object.entries(texts)) {
      expect([key, gapsIn(sentence), sentence.trim() === sentence && sentence !== '']).toEqual([
        key,
        gapsIn(consoleEnglish[key] ?? ''),
        true,
      ]);
    }
  },
);

test('the console has every language of the page, each with fewer than 12 texts equal to English', () => {
  expect(ofConsole.map(([tag]) => tag).toSorted()).toEqual(all.map(([tag]) => tag).toSorted());
  for (const [tag, texts] of ofConsole) {
    const same = Object.keys(texts).filter((key) => texts[key] === consoleEnglish[key]);
    expect([tag, tag === 'en' || same.length < 12]).toEqual([tag, true]);
  }
});

const gapsOfReasons = new Map(
  REASONS.map(([, code, sentence, kind]): [string, string[]] => [
    kind === undefined ? code : `${code}.${kind}`,
    gapsIn(sentence),
  ]),
);

test.each(all)('%s uses only placeholders in a reason sentence that the reason provides', (_, { reasons }) => {
  for (const [key, sentence] of Object.entries<string>(reasons)) {
    const known = gapsOfReasons.get(key) ?? [];
    expect([key, gapsIn(sentence).filter((gap) => !known.includes(gap))]).toEqual([key, []]);
  }
});

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

test.each(all)('%s has the reasons of a mail beside those of a link', (tag, language) => {
  const locale = { say: createSpeaker(tag, language), format: createFormats(tag) };
  const { say } = mailLocale(locale);
  const { headings, reasons }: Record<string, Readonly<Record<string, Texts>>> = messageTexts;
  for (const [, code] of MESSAGE_REASONS)
    expect([say.heading(code), say.reason(code, {})]).toEqual([
      headings?.[code]?.[tag] ?? '',
      reasons?.[code]?.[tag] ?? '',
    ]);
  expect(say.heading('url.suffix')).toBe(locale.say.heading('url.suffix'));
  expect([say('check.submit'), say.heading('constructor')]).toEqual([locale.say('check.submit'), null]);
  expect(locale.say.heading('sender.brand_in_name')).toBeNull();
});

test.each(all)('%s has the sentences on mails, with the placeholders of English', (tag) => {
  for (const [key, sentences] of Object.entries<Texts>(mailTexts)) {
    const sentence = sentences[tag] ?? '';
    expect([key, sentence !== '' && sentence === sentence.trim(), gapsIn(sentence)]).toEqual([
      key,
      true,
      gapsIn(sentences['en'] ?? ''),
    ]);
  }
});

test('the label of the English submit button begins with “Check”, which scripts search for', async () => {
  const say = await speakerOf('en');
  expect(say('check.submit')).toBe('Check');
  expect(say.count('check.submit', 12)).toBe('Check 12 links');
});

test('selects the plural form that the language requires', async () => {
  expect((await speakerOf('en')).count('registration.age', 1)).toBe('1 day old');
  expect((await speakerOf('de')).count('check.will.more', 1)).toBe('und 1 weiterer');
  expect((await speakerOf('de')).count('check.will.more', 2)).toBe('und 2 weitere');
  expect((await speakerOf('fr')).count('history.shown', 0)).toBe('0 vérification affichée');
  expect((await speakerOf('ja')).count('history.shown', 1)).toBe('1 件を表示');
});

test('an unknown name from the service returns the fallback, never a member of an object', async () => {
  const say = await speakerOf('de');
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

test('every certificate fault and every lookup status has a sentence', async () => {
  const say = await speakerOf('en');
  expect(CERTIFICATE_FAULTS.filter((fault) => say.maybe(`fault.${fault}`, '') === '')).toEqual([]);
  const statuses: readonly string[] = MissedStatusSchema['enum'];
  expect(statuses.filter((status) => say.maybe(`status.${status}`, '') === '')).toEqual([]);
});

test('every component has a label in English: `component.NAME` in src/interfaces/ui/languages/en.ts', async () => {
  const say = await speakerOf('en');
  expect(COMPONENTS.filter((component) => say.maybe(`component.${component}`, '') === '')).toEqual([]);
});

test('each condition of the service has a sentence of the console', async () => {
  const texts = await CONSOLE_TEXTS.en();
  const codes = [...ALERT_CODES, ...CONDITION_CODES, 'log_unavailable'];
  expect(codes.filter((code) => !(`condition.${code}` in texts))).toEqual([]);
  const named = Object.keys(texts).filter((key) => key.startsWith('condition.'));
  expect(named.toSorted()).toEqual(codes.map((code) => `condition.${code}`).toSorted());
});
