import { shownWords } from './message-link.ts';
import { hostsNamedIn } from './text/hosts-in-text.ts';

/** A target in a message that is not a web address, so that the service cannot check it. */
export interface NonWebTarget {
  /**
   * `script`: runs a script; `embedded`: contains a page; `app`: opens an app or a file of the device; `relative`: an
   * incomplete address without a known page.
   */
  readonly kind: 'script' | 'embedded' | 'app' | 'relative';
  readonly element: 'link' | 'form';
  /** Address or code of the message, truncated. */
  readonly target: string;
  /** Text that a reader sees instead, on one line; null if none. */
  readonly words: string | null;
}

/** Maximum length of a target, in UTF-16 code units; longer ones are truncated. */
const MAX_TARGET = 500;

/** A scheme, after the white space that browsers drop (WHATWG URL, "basic URL parser"). */
const SCHEME = /^[\0-\x20]*([a-z][a-z0-9+.-]*):/i;

/** Schemes of ordinary messages: a mail, a call, another part of the same mail. */
const ORDINARY_SCHEMES = /^(?:mailto|tel|sms|cid|mid|about|x-apple-data-detectors)$/;

/** Code of an event handler that may navigate to another page. */
const NAVIGATES = /location|open\s*\(|href|navigat|submit|eval|fromCharCode|atob/i;

const CLICK_HANDLERS =
  'onclick ondblclick onmousedown onmouseup onpointerdown onpointerup ontouchstart ontouchend'.split(' ');

/** Creates a target with the words in front of it. */
export function nonWebTarget(
  kind: NonWebTarget['kind'],
  target: string,
  words: string,
  element: NonWebTarget['element'] = 'link',
): NonWebTarget {
  return { kind, element, target: target.trim().slice(0, MAX_TARGET).toWellFormed(), words: shownWords(words) || null };
}

/**
 * Classifies an address that is not a web address. Null for ordinary ones, such as a mail address or an anchor, unless
 * the words name a site.
 */
export function classifyTarget(
  address: string,
  words: string,
  element: NonWebTarget['element'] = 'link',
): NonWebTarget | null {
  const plain = address.replace(/[\t\n\r]/g, '');
  const scheme = SCHEME.exec(plain)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    const isOrdinary = plain.trim() === '' || plain.trim().startsWith('#');
    return isOrdinary && !namesSite(words) ? null : nonWebTarget('relative', plain, words, element);
  }
  if (ORDINARY_SCHEMES.test(scheme) && !namesSite(words)) return null;
  return nonWebTarget(kindOf(scheme), plain, words, element);
}

/** Returns the code that a click on an element runs; null if there is none. */
export function clickHandler(attributes: ReadonlyMap<string, string>): string | null {
  const name = CLICK_HANDLERS.find((one) => attributes.has(one));
  return name === undefined ? null : (attributes.get(name) ?? '');
}

/** Returns true if the code of an event handler may navigate to another page. */
export function mayNavigate(code: string): boolean {
  return NAVIGATES.test(code);
}

/** Returns true if a text names a site, which its reader then expects to reach. */
export function namesSite(words: string): boolean {
  return hostsNamedIn(words).length > 0;
}

function kindOf(scheme: string): NonWebTarget['kind'] {
  if (/^(?:java|vb|live)script$/.test(scheme)) return 'script';
  return /^(?:data|blob|filesystem)$/.test(scheme) ? 'embedded' : 'app';
}
