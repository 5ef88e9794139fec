import { KIT_MARKS, PRESSURE } from '#src/core/knowledge/words/page-marks.ts';
import { isGeneric } from './generic-words.ts';
import { findingOf, inOneLine, type Signal } from './signal.ts';
import { wordsOf } from './words.ts';

/** A login page puts pressure on the visitor. */
export const urgency: Signal<'page.urgency'> = (view) => {
  if (!view.asksToLogIn) return null;
  const { title, headings, visibleText } = view.document;
  // Fold the typographic apostrophe; the rest of the text is matched as it stands.
  const text = [title ?? '', ...headings, visibleText.slice(0, 4000)].join('\n').replaceAll('’', "'");
  const phrase = PRESSURE.exec(text)?.[0];
  return phrase === undefined ? null : findingOf({ phrase: inOneLine(phrase) });
};

const MAX_TITLE_CHARACTERS = 100;

/** A login page has a generic title. */
export const namelessTitle: Signal<'page.nameless_title'> = (view) => {
  const title = view.document.title ?? '';
  if (!view.asksToLogIn || view.namesItsSite || title.length > MAX_TITLE_CHARACTERS) return null;
  const words = wordsOf(title);
  if (words.length === 0 || !words.every(isGeneric)) return null;
  return findingOf({ title: inOneLine(title) });
};

/** The page carries the mark of a phishing kit or of a tool that sends lures. */
export const kitMark: Signal<'page.kit_mark'> = (view) => {
  const { title, headings, comments, visibleText } = view.document;
  const text = [title ?? '', ...headings, ...comments, visibleText.slice(0, 2000)].join('\n');
  const mark = KIT_MARKS.exec(text)?.[0];
  return mark === undefined ? null : findingOf({ mark: inOneLine(mark) });
};
