import { readUrl } from '#src/core/url/read-url.ts';
import type { MessagePicture } from '../embedded-picture.ts';
import { type MessageLink, messageLink } from '../message-link.ts';
import { classifyTarget, type NonWebTarget } from '../non-web-target.ts';
import { isBareAddress } from '../text/bare-host.ts';
import { pdfStreams } from './pdf-streams.ts';

/** Targets of the clicks in a PDF document, and its photographs, which may have codes. */
export interface PdfReading {
  readonly links: readonly MessageLink[];
  readonly nonWeb: readonly NonWebTarget[];
  readonly pictures: readonly MessagePicture[];
}

/** Maximum number of strings that are read as addresses, and of photographs. */
const MAX_LINKS = 2000;
const MAX_PICTURES = 30;

/** Maximum length of an address, in characters. */
const MAX_ADDRESS = 8192;

/** The key of an address (ISO 32000-1 §12.6.4.7), also with escapes in its name, and the begin of its string. */
const URI = /\/(?:U|#55)(?:R|#52)(?:I|#49)\s{0,20}([(<])/gi;

/** Returns true for a PDF document, whose mark may follow other bytes. */
export function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes('%PDF-');
}

/**
 * Reads the links of a document that can be clicked. Its text and drawn codes are not read, nor is anything of an encrypted
 * document. Never throws; hostile documents end at the limits.
 */
export async function linksInPdf(
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  isSpent: () => boolean,
): Promise<PdfReading> {
  const text = new TextDecoder('latin1').decode(bytes);
  // The strings of an encrypted document are no addresses.
  if (/\/Encrypt\b/.test(text)) return { links: [], nonWeb: [], pictures: [] };
  const budget = { strings: MAX_LINKS };
  const addresses = new Set(addressesIn(text, budget));
  const pictures: MessagePicture[] = [];
  for await (const stream of pdfStreams(bytes, text, isSpent)) {
    if (stream.kind === 'objects') for (const one of addressesIn(stream.text, budget)) addresses.add(one);
    else if (pictures.length < MAX_PICTURES) pictures.push({ name, contentType: 'image/jpeg', bytes: stream.bytes });
    if (budget.strings <= 0) break;
  }
  const found = [...addresses].map((address) => ({ address, url: webUrl(address) }));
  return {
    links: found.flatMap(({ url }) => (url === null ? [] : messageLink(url, ''))),
    nonWeb: found.flatMap(({ address, url }) => (url === null ? (classifyTarget(address, '') ?? []) : [])),
    pictures,
  };
}

function webUrl(address: string): string | null {
  const url = readUrl(isBareAddress(address) ? `http://${address}` : address);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null;
}

/** Yields the addresses of a text; each string that is read counts against the budget, whatever is in it. */
function* addressesIn(text: string, budget: { strings: number }): Generator<string> {
  for (const { 0: key, 1: open, index } of text.matchAll(URI)) {
    if (budget.strings-- <= 0) return;
    const string = text.slice(index + key.length, index + key.length + MAX_ADDRESS);
    const address = open === '(' ? literalString(string) : hexString(string);
    // A mark of UTF-16, of which the address has every second byte.
    const plain =
      address.startsWith('\u00fe\u00ff') || address.startsWith('þÿ') ? address.slice(2).replaceAll('\0', '') : address;
    if (plain.trim() !== '') yield plain.trim();
  }
}

/** Returns a literal string (ISO 32000-1 §7.3.4.2), whose parentheses are in balance, from behind its first one. */
function literalString(text: string): string {
  let result = '';
  let depth = 1;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') {
      const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
      if (octal === undefined) result += text.charAt(at + 1).replace(/[\r\n]/, '');
      else result += String.fromCharCode(Number.parseInt(octal, 8));
      at += octal?.length ?? 1;
      continue;
    }
    if (character === '(') depth++;
    if (character === ')' && --depth === 0) break;
    result += character;
  }
  return result;
}

/** Returns a string of hexadecimal digits (ISO 32000-1 §7.3.4.3) from behind its `<`. */
function hexString(text: string): string {
  const end = text.indexOf('>');
  const digits = text.slice(0, end === -1 ? 0 : end).replace(/[^0-9a-f]/gi, '');
  return (digits.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join('');
}
