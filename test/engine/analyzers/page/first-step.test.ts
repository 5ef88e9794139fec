import { expect, test } from 'bun:test';
import { LURE_WORDS } from '#src/core/knowledge/words/lure-words.ts';
import { viewPage } from '#src/engine/analyzers/page/page-view.ts';
import { subjectOf } from './features-of.ts';

const asksToLogIn = (button: string) =>
  viewPage(subjectOf(`<form><input type="email" name="email"><button>${button}</button></form>`))?.asksToLogIn;

test('an address field with a login button is the first step of a login, in every language', () => {
  expect([...LURE_WORDS.button].filter((phrase) => !asksToLogIn(phrase))).toEqual([]);
  expect([...LURE_WORDS.button].filter((phrase) => !asksToLogIn(`» ${phrase.toUpperCase()} «`))).toEqual([]);
});

test('an address field for a newsletter is not a login', () => {
  for (const button of ['Subscribe', 'Abonnieren', 'Подписаться', 'blogging']) expect(asksToLogIn(button)).toBe(false);
});
