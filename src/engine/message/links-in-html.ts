import { createElementStack, type OpenElement } from '#src/network/html/element-stack.ts';
import { traitsOf } from '#src/network/html/element-traits.ts';
import { parseRefresh } from '#src/network/html/refresh.ts';
import { type MarkupLimits, tokenize } from '#src/network/html/tokenize.ts';
import { collectMarkup, type MarkupReading } from './collect-markup.ts';
import type { MessageLink } from './message-link.ts';
import { clickHandler, mayNavigate, namesSite } from './non-web-target.ts';
import { createReading, type Reading } from './reading.ts';
import { savedFrom } from './saved-page.ts';
import { sentenceAround } from './sentence.ts';

type Attributes = ReadonlyMap<string, string>;

/** A person's own message: nothing of it is left out, but for what no program shows. */
const LIMITS: MarkupLimits = {
  chunkCharacters: 65_536,
  innerCharacters: 1_000_000,
  // A picture may stand in an attribute.
  attributeCharacters: 16_000_000,
  // Browsers read them all.
  attributesPerElement: Number.POSITIVE_INFINITY,
};

const DEPTH = 512;

/** An element without an address that handles clicks is a link of its own where its text is no longer than this. */
const MAX_HANDLED_WORDS = 300;

/** Links within links whose words are gathered, and how much of them, by and large. */
const MAX_CAPTURES = 16;
const MAX_WORDS = 1000;

/** Markup in markup: what one mail program shows to itself, and pages in frames. */
const INNER_DEPTH = 2;

/** Elements whose `href` leads nobody anywhere: it names a part of the page. */
const PARTS = new Set(['base', 'link', 'image', 'use', 'lineargradient', 'radialgradient', 'pattern', 'filter']);

/** The attributes by which elements send a form. */
const SENDING: Readonly<Record<string, string>> = { form: 'action', button: 'formaction', input: 'formaction' };

/** The attributes by which elements show a picture. */
const PICTURED: Readonly<Record<string, string>> = {
  img: 'src',
  input: 'src',
  image: 'href',
  object: 'data',
  embed: 'src',
};

/**
 * Reads markup: the links with the words in front of them (of `a`, `area` and whatever else has an address, of forms, of a
 * refresh, and those that stand in its text), targets that are no web addresses, and pictures. Relative addresses are
 * completed by `<base>`, else by the address from which the page was saved. Nothing is loaded or shown. Never throws.
 *
 * @param savedAt the address of the page, where what carries the markup names it; a comment of the page comes first
 */
export function readMarkup(
  markup: string,
  reading = createReading(),
  savedAt: string | null = null,
  depth = 0,
): MarkupReading {
  const stack = createElementStack(DEPTH);
  const inner = (code: string) => {
    if (code === '') return;
    if (depth < INNER_DEPTH) found.addAll(readInside(code));
    else reading.leaveOut();
  };
  const readInside = (code: string) => {
    // Only what this page is saved from is a link; the page inside has the same address.
    const { links, ...rest } = readMarkup(code, reading, found.base, depth + 1);
    return { ...rest, links: links.filter(({ role, url }) => role !== 'page' || url !== found.base) };
  };
  const found = collectMarkup(inner, reading);
  const words = createWords();
  if (savedAt !== null) found.setPage(savedAt);

  /** An element without an address whose clicks run code: its own text is not where it leads. */
  const beginHandled = (name: string, code: string) => {
    const start = words.text.length;
    return () => {
      const shown = words.text.slice(start);
      if (shown.length > MAX_HANDLED_WORDS || !(name === 'a' || namesSite(shown) || mayNavigate(code))) return;
      words.cutTo(start);
      found.addScript(code, shown);
    };
  };
  const begin = (name: string, attributes: Attributes): (() => void) | null => {
    noteWordless(name, attributes);
    const alternative = attributes.get('alt') ?? '';
    if (name === 'img') words.add(` ${alternative} `);
    const code = clickHandler(attributes);
    const href = PARTS.has(name) ? undefined : (attributes.get('href') ?? attributes.get('xlink:href'));
    if (href === undefined) return code === null ? null : beginHandled(name, code);
    const endCapture = words.capture(alternative);
    const start = words.length;
    return () => {
      const shown = endCapture();
      const isPlaceInPage = /^\s*(?:#|$)/.test(href);
      if (code !== null && (isPlaceInPage || mayNavigate(code))) found.addScript(code, shown);
      const url = code === null || !isPlaceInPage ? found.add(href, shown) : null;
      if (url !== null) words.noteLink(url, start);
    };
  };
  const noteWordless = (name: string, attributes: Attributes) => {
    const get = (attribute: string) => attributes.get(attribute) ?? '';
    if (name === 'base') found.setBase(get('href'));
    if (name === 'meta' && get('http-equiv').toLowerCase() === 'refresh')
      found.add(parseRefresh(get('content'))?.target ?? '', '');
    const sending = SENDING[name];
    if (sending !== undefined && attributes.has(sending)) found.add(get(sending), '', 'form');
    const submits = get('onsubmit');
    if (mayNavigate(submits)) found.addScript(submits, '', 'form');
    if (name === 'iframe' || name === 'frame') found.addFrame(get('src'));
    if (get('srcdoc').length === LIMITS.innerCharacters) reading.leaveOut();
    if (name === 'iframe') inner(get('srcdoc'));
    const picture = get(PICTURED[name] ?? '');
    if (/^\s*data:/i.test(picture)) found.addPicture(picture, get('alt') || name);
  };

  tokenize(
    markup,
    {
      open(name, attributes, selfClosing) {
        const traits = traitsOf(name);
        if (name === 'a' && stack.isOpen('a')) stack.close('a');
        if (traits.breaksOut) stack.closeWhile(isForeign);
        if (traits.isBlock) words.add('\n');
        const foreign = traits.isForeignRoot || isForeign(stack.top);
        const onEnd = begin(name, attributes);
        if (traits.isVoid || (foreign && selfClosing)) onEnd?.();
        else stack.push({ name, traits, hidden: false, foreign, onEnd });
      },
      close(name) {
        stack.close(name);
        if (traitsOf(name).isBlock) words.add('\n');
      },
      text(piece) {
        if (!stack.top?.traits.isSilent || stack.top.foreign) words.add(piece.replace(/\s+/g, ' '));
      },
      comment(code) {
        // What one program hides from all others is a link to whoever uses that program.
        if (/^\s*\[if\b/i.test(code)) inner(code.replace(/^[^\]]*\]>?/, ''));
        const source = savedFrom(code);
        if (source !== null) found.setPage(source);
      },
      inForeignContent: () => isForeign(stack.top),
      holdsMarkupAsText: () => false,
      attributesDropped() {},
      isSpent: reading.isSpent,
    },
    LIMITS,
  );
  stack.closeAll();
  words.noteSentences(reading);
  return found.reading(words.text);
}

/** The links of markup, as {@link readMarkup} finds them. */
export function linksInHtml(markup: string): readonly MessageLink[] {
  return readMarkup(markup).links;
}

/** The text outside links, the words of the links that are open, and all words with the places of the links among them. */
function createWords() {
  /** From the outermost link inwards. */
  const captures: { words: string }[] = [];
  const places: { readonly url: string; readonly start: number; readonly end: number }[] = [];
  let text = '';
  let all = '';
  return {
    get text() {
      return text;
    },
    /** Of all words so far. */
    get length() {
      return all.length;
    },
    noteLink(url: string, start: number) {
      places.push({ url, start, end: all.length });
    },
    noteSentences({ noteSentence }: Pick<Reading, 'noteSentence'>) {
      for (const { url, start, end } of places) noteSentence(url, () => sentenceAround(all, start, end));
    },
    add(piece: string) {
      all += piece;
      for (const capture of captures) {
        if (capture.words.length < MAX_WORDS) capture.words += piece.slice(0, MAX_WORDS);
      }
      if (captures.length === 0) text += piece;
    },
    /** Begins a link; what is returned ends it and gives its words. */
    capture(begun: string) {
      const capture = { words: begun };
      if (captures.length < MAX_CAPTURES) captures.push(capture);
      return () => {
        if (captures.at(-1) === capture) captures.pop();
        return capture.words;
      };
    },
    /** Removes what was added to the text behind a place. */
    cutTo(length: number) {
      if (text.length > length) text = `${text.slice(0, length)} `;
    },
  };
}

function isForeign(element: OpenElement | undefined): boolean {
  return element?.foreign === true && !element.traits.holdsHtml;
}
