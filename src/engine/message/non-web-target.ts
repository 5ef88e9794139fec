import { hostsNamedIn } from './bare-host.ts';
import { shownWords } from './message-link.ts';

/** A place of a message that leads somewhere else than to a web address, so that the service cannot check it. */
export interface NonWebTarget {
  /**
   * `script`: it runs a script; `embedded`: the target carries a page in itself; `app`: it opens an app or a file of the
   * device; `relative`: the address is incomplete, and the page that would complete it is unknown.
   */
  readonly kind: 'script' | 'embedded' | 'app' | 'relative';
  readonly element: 'link' | 'form';
  /** The address or the code as the message has it, shortened. */
  readonly target: string;
  /** What a reader sees in its place, on one line; null where that is nothing. */
  readonly words: string | null;
}

/** Longer targets are cut, in UTF-16 code units. */
const MAX_TARGET = 500;

/** A scheme behind the white space that browsers drop (WHATWG URL, "basic URL parser"). */
const SCHEME = /^[\0-\x20]*([a-z][a-z0-9+.-]*):/i;

/** Schemes of messages themselves: a mail, a call, another part of the same mail. */
const ORDINARY_SCHEMES = /^(?:mailto|tel|sms|cid|mid|about|x-apple-data-detectors)$/;

/** Code of an event handler that may leave the page. */
const NAVIGATES = /location|open\s*\(|href|navigat|submit|eval|fromCharCode|atob/i;

const CLICK_HANDLERS =
  'onclick ondblclick onmousedown onmouseup onpointerdown onpointerup ontouchstart ontouchend'.split(' ');

/** A target with what stands in front of it. */
export function nonWebTarget(
  kind: NonWebTarget['kind'],
  target: string,
  words: string,
  element: NonWebTarget['element'] = 'link',
): NonWebTarget {
  return { kind, element, target: target.trim().slice(0, MAX_TARGET).toWellFormed(), words: shownWords(words) || null };
}

/**
 * Says what an address that is no web address leads to. Null for what every message has, such as a mail address or a place
 * in the same page, unless its words name a site.
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

/** The code that a click on an element runs; null where it has none. */
export function clickHandler(attributes: ReadonlyMap<string, string>): string | null {
  const name = CLICK_HANDLERS.find((one) => attributes.has(one));
  return name === undefined ? null : (attributes.get(name) ?? '');
}

/** Whether the code of an event handler may lead to another page. */
export function mayNavigate(code: string): boolean {
  return NAVIGATES.test(code);
}

/** Whether a text names a site, so that its reader expects to get there. */
export function namesSite(words: string): boolean {
  return hostsNamedIn(words).length > 0;
}

function kindOf(scheme: string): NonWebTarget['kind'] {
  if (/^(?:java|vb|live)script$/.test(scheme)) return 'script';
  return /^(?:data|blob|filesystem)$/.test(scheme) ? 'embedded' : 'app';
}
