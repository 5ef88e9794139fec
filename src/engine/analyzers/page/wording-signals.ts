import { KIT_MARKS, PRESSURE } from '#src/core/knowledge/words/page-phrases.ts';
import { isGeneric } from './generic-words.ts';
import { found, quote, type Sign } from './signal.ts';
import { wordsOf } from './words.ts';

/** A page that asks for a login presses the visitor. */
export const urgency: Sign = (view) => {
  if (!view.asksToLogIn) return null;
  const { title, headings, visibleText } = view.document;
  // Fold the typographic apostrophe; the rest of the text is matched as it stands.
  const text = [title ?? '', ...headings, visibleText.slice(0, 4000)].join('\n').replaceAll('’', "'");
  const phrase = PRESSURE.exec(text)?.[0];
  return phrase === undefined ? null : found(`The page presses visitors to log in: ${quote(phrase)}`);
};

const MAX_TITLE_CHARACTERS = 100;

/** A login page has a title that would fit anybody's. */
export const namelessTitle: Sign = (view) => {
  const title = view.document.title ?? '';
  if (!view.asksToLogIn || view.namesItsSite || title.length > MAX_TITLE_CHARACTERS) return null;
  const words = wordsOf(title);
  if (words.length === 0 || !words.every(isGeneric)) return null;
  return found(`The page asks for a login under the title ${quote(title)}, which names nobody`);
};

/** The page carries the mark of a kit or of a tool for sending lures. */
export const kitMark: Sign = (view) => {
  const { title, headings, comments, visibleText } = view.document;
  const text = [title ?? '', ...headings, ...comments, visibleText.slice(0, 2000)].join('\n');
  const mark = KIT_MARKS.exec(text)?.[0];
  return mark === undefined ? null : found(`The page carries the mark ${quote(mark)}, which phishing tools leave`);
};
