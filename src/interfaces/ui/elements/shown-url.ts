import { literal } from './literal.ts';
import { maskedUrl } from './masked-url.ts';

/** A URL as somebody typed it, but for its password. */
export function shownUrl(url: string): HTMLElement {
  return literal(maskedUrl(url), 'mono');
}
