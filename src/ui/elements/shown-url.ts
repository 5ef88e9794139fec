import { foreign } from './foreign.ts';
import { maskedUrl } from './masked-url.ts';

/** A URL as somebody typed it, but for its password. */
export function shownUrl(url: string): HTMLElement {
  return foreign(maskedUrl(url), 'mono');
}
