import { LURE_WORDS } from '#src/core/knowledge/words/lure-words.ts';
import { skeleton } from '#src/core/url/confusable.ts';
import { contentOf } from '#src/network/html/shown-content.ts';
import { brandNamesOf } from './brand-names.ts';
import { findingOf, inOneLine, type Signal } from './signal.ts';
import { wordsOf } from './words.ts';

/** The title is written in character references, which hides its words from scanners of the source. */
export const spelledTitle: Signal<'page.spelled_title'> = (view) => {
  const { spelledTitleLetters: spelled } = view.document.counts;
  const letters = (view.document.title ?? '').match(/[a-z0-9]/gi)?.length ?? 0;
  if (spelled < 4 || spelled < letters / 2) return null;
  return findingOf({ title: inOneLine(view.document.title ?? '') });
};

/** Much of the text is written in character references. */
export const spelledText: Signal<'page.spelled_text'> = (view) => {
  const { spelledLetters } = view.document.counts;
  const share = spelledLetters / Math.max(1, view.document.visibleText.length);
  return spelledLetters < 40 || share < 0.1 ? null : findingOf({}, share * 2);
};

/** A script writes encoded markup into the page. */
export const encodedMarkup: Signal<'page.encoded_markup'> = (view) =>
  view.document.scripts.marks.includes('encoded_markup') ? findingOf({}) : null;

/** A script is packed or has identifiers of an obfuscator. */
export const obfuscatedScript: Signal<'page.obfuscated_script'> = (view) => {
  const { marks } = view.document.scripts;
  const isObfuscated =
    marks.includes('hex_identifiers') || marks.includes('evaluates_encoded_text') || marks.includes('packed');
  if (!isObfuscated) return null;
  return findingOf({}, view.asksToLogIn ? 1 : 0.4);
};

/** English name of what a page may block. */
export type BlockedTool = 'the context menu' | 'developer tools';

const MENU: BlockedTool = 'the context menu';
const TOOLS: BlockedTool = 'developer tools';

/** The page hinders its inspection. */
export const blocksInspection: Signal<'page.blocks_inspection'> = (view) => {
  const { marks } = view.document.scripts;
  const menu = marks.includes('blocks_context_menu');
  const tools = marks.includes('blocks_developer_tools');
  if (!menu && !tools) return null;
  const what = menu && tools ? `${MENU} and ${TOOLS}` : menu ? MENU : TOOLS;
  return findingOf({ keys: what }, (menu && tools ? 1 : 0.6) * (view.asksToLogIn ? 1 : 0.4));
};

/** A login page detects scanners. */
export const looksForBots: Signal<'page.looks_for_bots'> = (view) =>
  view.asksToLogIn && view.document.scripts.marks.includes('looks_for_bots') ? findingOf({}) : null;

/** A login page has more hidden than visible text. */
export const hiddenText: Signal<'page.hidden_text'> = (view) => {
  const { hiddenText: hidden, visibleText: visible } = view.document;
  if (!view.asksToLogIn || hidden.length < 500 || hidden.length < 2 * visible.length) return null;
  return findingOf({});
};

/** Part of the page was not read, so what it contains is unknown. */
export const notSeenWhole: Signal<'page.not_seen_whole'> = (view) => (view.isCut ? findingOf({}) : null);

/** An ordinary page has shown content after this many bytes, about five hundred printed pages. */
const PADDING_BYTES = 1024 * 1024;
/** Minimum visible text of a page with content, in characters. */
const MIN_CONTENT_TEXT = 1000;

/**
 * The page has neither a form nor content within a megabyte: padding keeps the form out of a scanner's limits. A page that
 * begins with text is just long. For a page with some visible text, the value is just enough for a warning.
 */
export const padded: Signal<'page.padded'> = (view) => {
  const { forms, counts } = view.document;
  if (!view.isCut || view.sizeBytes < PADDING_BYTES || forms.length > 0) return null;
  if ((counts.beforeContent ?? PADDING_BYTES) < PADDING_BYTES) return null;
  const isEmpty = view.document.visibleText.length < MIN_CONTENT_TEXT;
  return findingOf({}, isEmpty ? 1 : 0.92);
};

/** Minimum visible text of a page that has arrived, in characters; less is a heading or a waiting notice. */
const MIN_ARRIVED_TEXT = 200;

/**
 * The page arrives so slowly, or is padded so much, that hardly anything was read; what it asks for may come later.
 * Absent if {@link padded} is present.
 */
export const tooLittleRead: Signal<'page.too_little_read'> = (view) => {
  if (!view.isCut || view.document.visibleText.length >= MIN_ARRIVED_TEXT || padded(view) !== null) return null;
  // A search box does not ask for data, and a hidden form is not visible.
  const asks = view.forms.some(({ origin }) => origin === 'page' || origin === 'shadow' || origin === 'srcdoc');
  return asks ? null : findingOf({});
};

/** Scripts draw what the page shows. */
export const drawnByScript: Signal<'page.drawn_by_script'> = (view) =>
  contentOf(view.document).unread === 'script' ? findingOf({}) : null;

/** A frame that was not read shows what the page is about. */
export const unreadFrame: Signal<'page.unread_frame'> = (view) =>
  contentOf(view.document).unread === 'frame' ? findingOf({}) : null;

/** The page shows hardly anything but a picture, such as a QR code. */
export const unreadPicture: Signal<'page.unread_picture'> = (view) =>
  contentOf(view.document).unread === 'picture' ? findingOf({}) : null;

/** Words of lures by their skeleton; shorter ones resemble others by chance. */
const DISGUISED = new Map([...LURE_WORDS.disguised].map((word) => [skeleton(word), word]));

/** A brand's name or a word of lures is written with look-alike characters (`Validati0n`, `rnicrosoft`). */
export const lookAlikeWords: Signal<'page.look_alike_words'> = (view) => {
  const { title, headings, visibleText } = view.document;
  const text = [title ?? '', ...headings, visibleText.slice(0, 4000)].join(' ');
  const disguised = brandNamesOf(view.brands).findDisguised(text);
  if (disguised !== null) return findingOf({ meant: disguised.brand.name, words: disguised.word });
  for (const word of wordsOf(text)) {
    const meant = word.length < 6 ? undefined : DISGUISED.get(skeleton(word));
    if (meant !== undefined && meant !== word) return findingOf({ meant, words: word });
  }
  return null;
};
