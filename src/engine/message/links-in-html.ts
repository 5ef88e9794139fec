import { readUrl } from '#src/core/url/read-url.ts';
import { parseRefresh } from '#src/network/html/addresses.ts';
import type { PageSyntax } from '#src/network/html/charset.ts';
import { createElementStack, type OpenElement, traitsOf } from '#src/network/html/element-stack.ts';
import { type MarkupEvents, type MarkupLimits, tokenize } from '#src/network/html/tokenize.ts';
import { readXml } from '#src/network/html/xml/xml-markup.ts';
import { collectMarkup, type MarkupReading } from './collect-markup.ts';
import { sentenceAround } from './message-link.ts';
import { compareWords } from './mismatch.ts';
import { clickHandler, mayNavigate, namesSite } from './non-web-target.ts';
import { createReading, type Reading } from './reading.ts';

/**
 * Marks of browsers ("saved from url=(0042)https://…") and of SingleFile ("Page saved with SingleFile url: https://…").
 */
const SAVED_FROM = /^\s*(?:saved from url=\(\d{1,6}\)|page saved with singlefile\s+url:)\s*(https?:\S{1,8192})/i;

/** Returns the address from which a page was saved, by a comment; null if the comment does not name it. */
function savedFrom(comment: string): string | null {
  return webAddress(SAVED_FROM.exec(comment)?.[1] ?? '');
}

/** Returns the address of a page that a browser saved as a mail (`.mht`), by its header; null for other mails. */
export function savedAt(headers: readonly { readonly key: string; readonly value: string }[]): string | null {
  return webAddress(headers.find(({ key }) => key === 'snapshot-content-location')?.value ?? '');
}

function webAddress(text: string): string | null {
  return /^https?:/i.test(text) ? (readUrl(text)?.href ?? null) : null;
}

/** Number of pieces that become one text: the engine keeps an object of each until then. */
const MANY = 2000;

/** Creates an empty text. */
function growingText() {
  let whole: string[] = [];
  let [wholeLength, last, pieces] = [0, '', 0];
  const end = () => {
    // A character of it is known only once the pieces are joined.
    last.charCodeAt(0);
    whole.push(last);
    wholeLength += last.length;
    [last, pieces] = ['', 0];
  };
  const from = (start: number) =>
    start >= wholeLength ? last.slice(start - wholeLength) : (whole.join('') + last).slice(start);
  return {
    get length() {
      return wholeLength + last.length;
    },
    add(piece: string) {
      last += piece;
      if (++pieces === MANY) end();
    },
    /** Returns the text from a position on. */
    from,
    /** Removes the text behind a position. */
    cutTo(length: number) {
      if (length >= wholeLength) {
        last = last.slice(0, length - wholeLength);
        return;
      }
      whole = [(whole.join('') + last).slice(0, length)];
      [wholeLength, last, pieces] = [length, '', 0];
    },
  };
}

type Attributes = ReadonlyMap<string, string>;

/** Limits for the user's own message: nothing that a program shows is skipped. */
const LIMITS: MarkupLimits = {
  chunkCharacters: 65_536,
  innerCharacters: 1_000_000,
  // An attribute may contain a picture.
  attributeCharacters: 16_000_000,
  // Browsers read all attributes.
  attributesPerElement: Number.POSITIVE_INFINITY,
};

const DEPTH = 512;

/** Maximum text of an element without an address whose click handler counts as a link. */
const MAX_HANDLED_WORDS = 300;

/** Maximum nesting of links whose words are collected, and approximate length of these words. */
const MAX_CAPTURES = 16;
const MAX_WORDS = 1000;

/** Maximum nesting of markup in markup: conditional comments and pages in frames. */
const INNER_DEPTH = 2;

/** Elements whose `href` names a part of the page and is not a link. */
const NON_LINK_ELEMENTS = new Set([
  'base',
  'link',
  'image',
  'use',
  'lineargradient',
  'radialgradient',
  'pattern',
  'filter',
]);

const SUBMIT_ATTRIBUTES: Readonly<Record<string, string>> = {
  form: 'action',
  button: 'formaction',
  input: 'formaction',
};

/** Attributes by which elements show a picture. */
const PICTURE_ATTRIBUTES: Readonly<Record<string, string>> = {
  img: 'src',
  input: 'src',
  image: 'href',
  object: 'data',
  embed: 'src',
};

/**
 * Reads markup: links with their words (of `a`, `area` and other elements with an address, of forms, of a refresh, and
 * in text), targets that are not web addresses, and pictures. Relative addresses are resolved against `<base>`, else
 * against the address from which the page was saved. Nothing is loaded or shown. Never throws.
 *
 * @param savedAt address of the page by the enclosing mail; a comment of the page has precedence
 */
export function readMarkup(
  markup: string,
  reading = createReading(undefined, compareWords),
  savedAt: string | null = null,
  syntax: PageSyntax = 'html',
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
    const { links, nonWeb, pictures } = readMarkup(code, reading, found.base, 'html', depth + 1);
    return { nonWeb, pictures, links: links.filter(({ role, url }) => role !== 'page' || url !== found.base) };
  };
  const found = collectMarkup(inner, reading);
  const words = createWords(reading);
  if (savedAt !== null) found.setPage(savedAt);

  /** An element without an address whose clicks run code: its own text is not where it leads. */
  const beginHandled = (name: string, code: string) => {
    const start = words.text.length;
    return () => {
      const shown = words.text.from(start);
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
    const href = NON_LINK_ELEMENTS.has(name) ? undefined : (attributes.get('href') ?? attributes.get('xlink:href'));
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
      found.add(parseRefresh(get('content'))?.target ?? '', '', 'refresh');
    const sending = SUBMIT_ATTRIBUTES[name];
    if (sending !== undefined && attributes.has(sending)) found.add(get(sending), '', 'form');
    const submits = get('onsubmit');
    if (mayNavigate(submits)) found.addScript(submits, '', 'form');
    if (name === 'iframe' || name === 'frame') found.addFrame(get('src'));
    for (const address of animatedAddresses(name, attributes)) found.add(address, '');
    if (get('srcdoc').length === LIMITS.innerCharacters) reading.leaveOut();
    if (name === 'iframe') inner(get('srcdoc'));
    const picture = get(PICTURE_ATTRIBUTES[name] ?? '');
    if (/^\s*data:/i.test(picture)) found.addPicture(picture, get('alt') || name);
  };

  const events: MarkupEvents = {
    open(name, attributes, selfClosing) {
      const traits = traitsOf(name);
      if (name === 'a') stack.close('a');
      if (traits.breaksOut) stack.closeWhile(isForeign);
      if (traits.isBlock) words.add('\n');
      const foreign = traits.isForeignRoot || isForeign(stack.top);
      const onEnd = begin(name, attributes);
      const isEmpty = syntax === 'xml' ? selfClosing : traits.isVoid || (foreign && selfClosing);
      if (isEmpty) onEnd?.();
      else stack.push({ name, traits, hidden: false, foreign, onEnd });
    },
    close(name) {
      stack.close(name);
      if (traitsOf(name).isBlock) words.add('\n');
    },
    text(piece) {
      if (!stack.top?.traits.isSilent || (stack.top.foreign && stack.top.name !== 'script'))
        words.add(piece.replace(/\s+/g, ' '));
    },
    comment(code) {
      // A conditional comment is visible markup in the program that it addresses.
      if (/^\s*\[if\b/i.test(code)) inner(code.replace(/^[^\]]*\]>?/, ''));
      const source = savedFrom(code);
      if (source !== null) found.setPage(source);
    },
    inForeignContent: () => isForeign(stack.top),
    holdsMarkupAsText: () => false,
    attributesDropped() {},
    isSpent: reading.isSpent,
  };
  if (syntax === 'html') tokenize(markup, events, LIMITS);
  else readXml(markup, events, LIMITS, LIMITS.innerCharacters);
  stack.closeAll();
  words.noteSentences();
  return found.reading(words.text.from(0));
}

/** Returns the addresses that an animation of a drawing gives to the link around it. */
function animatedAddresses(name: string, attributes: Attributes): string[] {
  const isAnimation = name === 'set' || name === 'animate';
  const animated = attributes.get('attributename') ?? attributes.get('attributeName') ?? '';
  if (!isAnimation || !/href$/i.test(animated)) return [];
  const values = [attributes.get('to') ?? '', ...(attributes.get('values') ?? '').split(';')];
  return values.filter((value) => value.trim() !== '');
}

/**
 * Creates the collectors of the text outside links, of the words of open links, and of all words with the positions of
 * the links.
 */
function createWords({ takeLinks, noteSentence, noteText }: Reading) {
  /** From the outermost link inwards. */
  const captures: { words: string }[] = [];
  const places: { readonly url: string; readonly start: number; readonly end: number }[] = [];
  const text = growingText();
  const hasSentences = takeLinks === null;
  const all = growingText();
  return {
    text,
    /** Length of all words so far. */
    get length() {
      return all.length;
    },
    noteLink(url: string, start: number) {
      if (hasSentences) places.push({ url, start, end: all.length });
    },
    noteSentences() {
      const words = all.from(0);
      for (const { url, start, end } of places) noteSentence(url, () => sentenceAround(words, start, end));
    },
    add(piece: string) {
      noteText(piece);
      if (hasSentences) all.add(piece);
      for (const capture of captures) {
        if (capture.words.length < MAX_WORDS) capture.words += piece.slice(0, MAX_WORDS);
      }
      if (captures.length === 0) text.add(piece);
    },
    /** Begins a link; the returned function ends it and returns its words. */
    capture(begun: string) {
      const capture = { words: begun };
      if (captures.length < MAX_CAPTURES) captures.push(capture);
      return () => {
        if (captures.at(-1) === capture) captures.pop();
        return capture.words;
      };
    },
    /** Removes the text that was added after a position. */
    cutTo(length: number) {
      if (text.length <= length) return;
      text.cutTo(length);
      text.add(' ');
    },
  };
}

function isForeign(element: OpenElement | undefined): boolean {
  return element?.foreign === true && !element.traits.holdsHtml;
}
