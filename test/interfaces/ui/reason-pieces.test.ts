import { expect, test } from 'bun:test';
import { argsInSentence } from '#src/checks/record/stored-result.ts';
import type { LanguageTag } from '#src/core/languages/languages.ts';
import { readTexts } from '#src/core/languages/read-texts.ts';
import { createFormats } from '#src/interfaces/ui/elements/format.ts';
import { createSpeaker } from '#src/interfaces/ui/languages/speak.ts';
import { reasonPieces } from '#src/interfaces/ui/result/reasons/reason-pieces.ts';

async function piecesIn(tag: LanguageTag, code: string, message: string) {
  const locale = { say: createSpeaker(tag, readTexts()[tag].page), format: createFormats(tag) };
  return reasonPieces({ code, message, args: argsInSentence(code, message) }, locale);
}

async function said(tag: LanguageTag, code: string, message: string): Promise<string> {
  const pieces = await piecesIn(tag, code, message);
  return pieces.map(({ text, by }) => (by === 'page' ? text : by === 'service' ? `en:${text}` : `⟦${text}⟧`)).join('');
}

test('returns a reason as a sentence in the language of the reader, with quoted values separate', async () => {
  const message = 'Of the names known under .example, many are phishing.';
  expect(await said('de', 'url.suffix', message)).toBe(
    'Von den bekannten Websites unter ⟦.example⟧ sind viele Phishing.',
  );
  expect(await said('en', 'url.suffix', message)).toBe('Many known ⟦.example⟧ sites are phishing.');
});

test('translates numbers, dates, durations and terms of the analyzers', async () => {
  const young = 'a.example was registered 3 days ago, on 2026-11-17.';
  expect(await said('de', 'registration.created_under_7_days_ago', young)).toBe(
    '⟦a.example⟧ wurde vor 3 Tagen registriert, am 17.11.2026.',
  );
  expect(await said('fr', 'registration.created_under_7_days_ago', young)).toBe(
    '⟦a.example⟧ a été enregistré il y a 3 jours, le 17 nov. 2026.',
  );
  const new_ = 'a.example was registered less than a day ago, on 2026-11-17.';
  expect(await said('es', 'registration.created_under_7_days_ago', new_)).toBe(
    '⟦a.example⟧ se registró hace menos de un día, el 17 nov 2026.',
  );
  expect(
    await said('de', 'page.asks_many_secrets', 'One form asks for a password, a card number and a bank account.'),
  ).toBe('Ein einziges Formular verlangt ein Passwort, eine Kartennummer und eine Bankverbindung.');
  const home = 'What the page shows belongs to a.example: it names the site, leads to 1200 of its pages.';
  expect(await said('de', 'page.at_home', home)).toBe(
    'Was die Seite zeigt, gehört zu ⟦a.example⟧: sie nennt die Website und verlinkt 1.200 Seiten davon.',
  );
});

test('keeps the text of the service for an unknown reason or term', async () => {
  expect(await said('de', 'url.future', 'Something new.')).toBe('en:Something new.');
  expect(await said('de', 'constructor', 'Something new.')).toBe('en:Something new.');
  expect(await said('de', 'page.asks_many_secrets', 'One form asks for a password and a kidney.')).toBe(
    'Ein einziges Formular verlangt en:a password, a kidney.',
  );
});

test('omits the sentence about the redirect target from a reason', async () => {
  const message = 'The link leads on to evil.example. Something new.';
  expect(await said('de', 'url.future', message)).toBe('en:Something new.');
  const known = 'The link leads on to evil.example. Of the names known under .example, many are phishing.';
  expect(await said('en', 'url.suffix', known)).toBe('Many known ⟦.example⟧ sites are phishing.');
});
