import { readUrl } from '#src/core/url/read-url.ts';
import { isBareAddress } from '../text/bare-host.ts';
import type { PdfDocument } from './pdf-document.ts';
import { asText, type PdfValue } from './pdf-value.ts';

/** Maximum length of an address, in characters, and nesting of actions in an object. */
const MAX_ADDRESS = 8192;
const MAX_NESTING = 40;

/** Yields the addresses of actions within an object: links, and targets of forms (ISO 32000-1 §12.6.4.7, §12.7.5.2). */
export function* actionAddresses(value: PdfValue, document: PdfDocument, depth = 0): Generator<string> {
  if (typeof value !== 'object' || value === null || depth > MAX_NESTING) return;
  if (value instanceof Map) {
    const address = actionAddress(value.get('URI'), document);
    if (address !== '') yield address;
    const target = actionAddress(value.get('F'), document);
    if (/^https?:/i.test(target)) yield target;
  }
  const inner: Iterable<PdfValue> = value instanceof Map ? value.values() : Array.isArray(value) ? value : [];
  for (const one of inner) yield* actionAddresses(one, document, depth + 1);
}

/** Returns an address that a string or a reference to one states; empty if none does. */
export function actionAddress(value: PdfValue | undefined, { resolve }: PdfDocument): string {
  const string = asText(resolve(value)).slice(0, MAX_ADDRESS);
  // A mark of UTF-16, of which the address has every second byte.
  return (string.startsWith('\u00fe\u00ff') ? string.slice(2).replaceAll('\0', '') : string).trim();
}

/** Returns an address as a web address, completed if it has no scheme; null for any other. */
export function webUrl(address: string): string | null {
  const url = readUrl(isBareAddress(address) ? `http://${address}` : address);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null;
}
