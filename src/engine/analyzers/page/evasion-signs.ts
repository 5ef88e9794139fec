import { LURE_WORDS } from '#src/core/knowledge/words/lure-words.ts';
import { skeleton } from '#src/core/url/confusable.ts';
import { brandNamesOf } from './brand-names.ts';
import { found, quote, type Sign, type SignFinding } from './signal.ts';
import { wordsOf } from './words.ts';

/** The title is written in character references, so that scanners that read the source do not find its words. */
export const spelledTitle: Sign = (view) => {
  const { spelledTitleLetters: spelled } = view.document.counts;
  const letters = (view.document.title ?? '').match(/[a-z0-9]/gi)?.length ?? 0;
  if (spelled < 4 || spelled < letters / 2) return null;
  return found(
    `The page’s title ${quote(view.document.title ?? '')} is written in character codes, which hides it from scanners`,
  );
};

/** Much of the text is written in character references. */
export const spelledText: Sign = (view) => {
  const { spelledLetters } = view.document.counts;
  const share = spelledLetters / Math.max(1, view.document.visibleText.length);
  return spelledLetters < 40 || share < 0.1
    ? null
    : found('Much of the page’s text is written in character codes, which hides it from scanners', share * 2);
};

/** Script writes encoded markup into the page. */
export const encodedMarkup: Sign = (view) =>
  view.document.scripts.marks.includes('encoded_markup')
    ? found('The page writes parts of itself from encoded text, which hides them from scanners')
    : null;

/** Script is packed or has names that only an obfuscator gives, on a page that asks for a login. */
export const obfuscatedScript: Sign = (view) => {
  const { marks } = view.document.scripts;
  const isObfuscated =
    marks.includes('hex_identifiers') || marks.includes('evaluates_encoded_text') || marks.includes('packed');
  if (!isObfuscated) return null;
  return found('The page’s scripts are made unreadable on purpose', view.asksToLogIn ? 1 : 0.4);
};

/** What a page may block, as it stands in a sentence. */
export type BlockedTool = 'the context menu' | 'developer tools';

const MENU: BlockedTool = 'the context menu';
const TOOLS: BlockedTool = 'developer tools';

/** The page keeps visitors from looking into it. */
export const blocksInspection: Sign = (view) => {
  const { marks } = view.document.scripts;
  const menu = marks.includes('blocks_context_menu');
  const tools = marks.includes('blocks_developer_tools');
  if (!menu && !tools) return null;
  const what = menu && tools ? `${MENU} and ${TOOLS}` : menu ? MENU : TOOLS;
  return found(`The page blocks ${what}`, (menu && tools ? 1 : 0.6) * (view.asksToLogIn ? 1 : 0.4));
};

/** A login page looks for the programs that scanners use. */
export const looksForBots: Sign = (view) =>
  view.asksToLogIn && view.document.scripts.marks.includes('looks_for_bots')
    ? found('The page asks for a login and checks whether a program is looking at it')
    : null;

/** Hidden text outweighs what is shown, on a page that asks for a login. */
export const hiddenText: Sign = (view) => {
  const { hiddenText: hidden, visibleText: visible } = view.document;
  if (!view.asksToLogIn || hidden.length < 500 || hidden.length < 2 * visible.length) return null;
  return found('The page hides more text than it shows');
};

/** What lies behind the end of what was read is unknown, not harmless. */
export const notSeenWhole: Sign = (view) =>
  view.isCut
    ? found('The page is longer than what is read of a page, or ended early: part of it was not judged')
    : null;

/** A page that is only long shows something by then: a megabyte is some five hundred printed pages. */
const PADDING_BYTES = 1024 * 1024;
/** What a page shows at least that has something to say, in characters. */
const SOME_TEXT = 1000;

/**
 * What the page asks for may stand behind the end of what was read: nobody writes a megabyte before the first form of
 * a page but to tire those who look. Where there is something to read, it is just enough to warn.
 */
export const padded: Sign = (view) => {
  if (!view.isCut || view.sizeBytes < PADDING_BYTES || view.document.forms.length > 0) return null;
  const isEmpty = view.document.visibleText.length < SOME_TEXT;
  return found(
    'The page goes on behind all that is read of a page, and has asked for nothing by then',
    isEmpty ? 1 : 0.92,
  );
};

/** What a page shows at least that has arrived, in characters: less is a heading, or a waiting notice. */
const HARDLY_ANYTHING = 200;

/** What is said of a page of which too little was read. */
export const TOO_LITTLE_READ =
  'Hardly anything of the page could be read before it was cut off: what it asks for is unknown';

/**
 * A page that arrives so slowly, or is padded so much, that next to nothing of it was read: what it asks for may come later.
 * Where {@link padded} says so already, it is not said twice.
 */
export const tooLittleRead: Sign = (view) => {
  if (!view.isCut || view.document.visibleText.length >= HARDLY_ANYTHING || padded(view) !== null) return null;
  // A search box asks for nothing, and a form that nobody is shown asks nobody.
  const asks = view.forms.some(({ origin }) => origin === 'page' || origin === 'shadow' || origin === 'srcdoc');
  return asks ? null : found(TOO_LITTLE_READ);
};

/** Words that lures are written with, by how they look; shorter ones look like others by chance. */
const DISGUISED = new Map([...LURE_WORDS.disguised].map((word) => [skeleton(word), word]));

/** A brand's name or a word of the trade is spelt with look-alike characters (`Validati0n`, `rnicrosoft`). */
export const lookAlikeWords: Sign = (view) => {
  const { title, headings, visibleText } = view.document;
  const text = [title ?? '', ...headings, visibleText.slice(0, 4000)].join(' ');
  const disguised = brandNamesOf(view.brands).findDisguised(text);
  if (disguised !== null) return mistaken(disguised.brand.name, disguised.word);
  for (const word of wordsOf(text)) {
    const meant = word.length < 6 ? undefined : DISGUISED.get(skeleton(word));
    if (meant !== undefined && meant !== word) return mistaken(meant, word);
  }
  return null;
};

function mistaken(meant: string, word: string): SignFinding {
  return found(`The page writes ${quote(meant)} with look-alike characters: ${quote(word)}`);
}
