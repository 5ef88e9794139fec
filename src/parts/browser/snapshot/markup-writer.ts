/** Writes HTML of at most a number of characters. */
export interface MarkupWriter {
  open(name: string, attributes: readonly (readonly [name: string, value: string])[]): void;
  close(name: string): void;
  text(text: string): void;
  /** True if something did not fit. */
  readonly isCut: boolean;
  bytes(): Uint8Array;
}

/** Elements without content, whose end tag is not written (HTML Standard, void elements). */
export const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'wbr']);

/** Creates an empty document. */
export function createMarkupWriter(maxCharacters: number): MarkupWriter {
  const parts: string[] = ['<!doctype html>'];
  let left = maxCharacters;
  let isCut = false;
  const write = (part: string) => {
    left -= part.length;
    if (left < 0) isCut = true;
    else parts.push(part);
  };
  return {
    open: (name, attributes) =>
      write(`<${name}${attributes.map(([key, value]) => ` ${key}="${escapeMarkup(value)}"`).join('')}>`),
    close: (name) => {
      if (!VOID.has(name)) write(`</${name}>`);
    },
    text: (text) => write(escapeMarkup(text)),
    get isCut() {
      return isCut;
    },
    bytes: () => new TextEncoder().encode(parts.join('')),
  };
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Attributes that say what an element is, what it shows and where it leads. */
const COPIED = new Set(
  (
    'id name type value placeholder title alt label for role lang dir aria-label autocomplete inputmode maxlength ' +
    'href src action method formaction formmethod target download rel content property http-equiv enctype list form ' +
    'onsubmit width height required checked selected multiple data itemprop'
  ).split(' '),
);

/** Attributes with an address. */
const ADDRESSES = new Set(['href', 'src', 'action', 'formaction', 'data']);

/** Maximum length of a value, and of data in an address of what a page loads. */
const MAX_VALUE = 4096;
const MAX_DATA = 128;

/**
 * Returns the attributes of an element that are part of the rendered page, with the addresses of a frame's document as
 * absolute ones.
 *
 * @param base base of relative addresses; null to leave them as they are written
 */
export function shownAttributes(pairs: readonly string[], base: string | null): [name: string, value: string][] {
  const shown: [string, string][] = [];
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const name = (pairs[at] ?? '').toLowerCase();
    if (!COPIED.has(name)) continue;
    const value = (pairs[at + 1] ?? '').slice(0, MAX_VALUE);
    // An icon in the page itself is compared with others.
    const dataLength = name === 'href' ? MAX_VALUE : MAX_DATA;
    shown.push([name, ADDRESSES.has(name) ? address(value, base, dataLength) : value]);
  }
  return shown;
}

function address(value: string, base: string | null, dataLength: number): string {
  if (/^\s*data:/i.test(value)) return value.slice(0, dataLength);
  return base === null ? value : (URL.parse(value, base)?.href ?? value);
}
