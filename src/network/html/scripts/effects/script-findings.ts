import { exactText, MAX_TEXT, RANK, type TextValue, type Value } from '../constants/script-value.ts';
import { SHOWN_ELEMENTS } from '../page-names.ts';

/** Findings in the scripts of a page. Addresses are as written. */
export interface ScriptFindings {
  /** Markup that was written since it was last taken. */
  readonly written: string[];
  /** Addresses to which scripts go by themselves. */
  readonly scripted: Set<string>;
  /** Addresses of them to which code goes that needs no event and no answer. */
  readonly immediate: Set<string>;
  /** Addresses to which click handlers, and functions that nothing calls, go. */
  readonly clicked: Set<string>;
  /** Addresses of other things that scripts load or send to. */
  readonly requested: Set<string>;
  /** Texts that were decoded. */
  readonly decoded: Set<string>;
  hasEncodedMarkup: boolean;
  sendsForm: boolean;
  /** True if a script loads the page itself again. */
  reloads: boolean;
  /** Cookies that scripts set, as written. */
  readonly cookies: Set<string>;
  movesAway: boolean;
  writesUnknown: boolean;
  externalCount: number;
  /** Decoded markup with content, which is read even if nothing seems to write it. */
  readonly hidden: Set<string>;
  /** Characters of markup that may still be written. */
  markupLeft: number;
  /** Pieces of `document.write`, which are read as one text; null if something else was written since. */
  stream: Set<string> | null;
}

/** Markup with content; the loaders of old statistics services write one encoded script tag. */
const CONTENT = /<(?:html|head|body|title|form|input|div|table|h\d|p|img|meta)\b/i;

/** Markup that shows something, or leads on. */
const SHOWN = new RegExp(`<(?:${SHOWN_ELEMENTS.join('|')})\\b`, 'i');

const MAX_ADDRESSES = 20;
const MAX_REQUESTED = 200;
const MAX_DECODED = 100;
const MAX_WRITTEN = 200;
const MAX_HIDDEN = 20;

/** Findings of a page without scripts. */
export function noFindings(): ScriptFindings {
  return {
    written: [],
    scripted: new Set(),
    immediate: new Set(),
    clicked: new Set(),
    requested: new Set(),
    decoded: new Set(),
    hasEncodedMarkup: false,
    sendsForm: false,
    reloads: false,
    cookies: new Set(),
    movesAway: false,
    writesUnknown: false,
    externalCount: 0,
    hidden: new Set(),
    markupLeft: 2 * MAX_TEXT,
    stream: null,
  };
}

/** Stores an address; further ones are left out once there are many. */
export function addAddress(found: ScriptFindings, list: 'scripted' | 'clicked' | 'requested', address: string): void {
  const addresses = found[list];
  if (addresses.size < (list === 'requested' ? MAX_REQUESTED : MAX_ADDRESSES)) addresses.add(address);
}

/** Stores a text that a decoder made. */
export function addDecoded(found: ScriptFindings, text: string): void {
  if (found.decoded.size < MAX_DECODED) found.decoded.add(text);
  if (!/^\s*</.test(text) || !CONTENT.test(text)) return;
  found.hasEncodedMarkup = true;
  if (found.hidden.size < MAX_HIDDEN) found.hidden.add(text);
}

/**
 * Stores the markup that a script hands to the page. From anything but `document.write`, only markup with content
 * counts; an unknown part is stated, and left out of it.
 */
export function writeValue(found: ScriptFindings, value: Value, isStream: boolean): void {
  const text = value !== null && typeof value === 'object' && value.kind === 'text' ? value : exactText(value);
  if (text === null) {
    found.writesUnknown = true;
    return;
  }
  const markup = typeof text === 'string' ? text : text.text;
  if (typeof text !== 'string') noteText(found, text);
  if (isStream) addToStream(found, markup);
  else if (SHOWN.test(markup)) addMarkup(found, markup);
}

function noteText(found: ScriptFindings, { text, knownLength, encoded, isPlain }: TextValue): void {
  if (knownLength !== null && !isPlain) found.writesUnknown = true;
  if (encoded && /^\s*</.test(text) && CONTENT.test(text)) found.hasEncodedMarkup = true;
}

/** Stores markup that a script writes, unless it was stored before. */
export function addMarkup(found: ScriptFindings, markup: string): void {
  if (!hasRoom(found, markup) || found.written.includes(markup)) return;
  found.written.push(markup);
  found.stream = null;
}

/** A function that is read again writes the same again; short pieces are end tags and the like. */
const MAX_REPEATED_PIECE = 32;

function addToStream(found: ScriptFindings, piece: string): void {
  const stream = found.stream ?? new Set();
  if (piece.length > MAX_REPEATED_PIECE && stream.has(piece)) return;
  if (!hasRoom(found, piece)) return;
  const before = found.stream === null ? null : found.written.pop();
  found.written.push((before ?? '') + piece);
  found.stream = stream.add(piece);
}

function hasRoom(found: ScriptFindings, markup: string): boolean {
  if (markup.length > found.markupLeft || found.written.length >= MAX_WRITTEN) return false;
  found.markupLeft -= markup.length;
  return true;
}

/** Returns the markup that was written since it was last asked for. */
export function takeWritten(found: ScriptFindings): string[] {
  for (const markup of found.hidden) {
    if (!found.written.some((written) => written.includes(markup))) addMarkup(found, markup);
  }
  found.hidden.clear();
  found.stream = null;
  return found.written.splice(0);
}

/** Returns the list of exits in which the exits of code of a rank belong. */
export function exitsOfRank(rank: number): 'scripted' | 'clicked' {
  return rank <= RANK.callback ? 'scripted' : 'clicked';
}
