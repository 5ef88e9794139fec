import { literal } from './literal.ts';
import { maskedUrl } from './masked-url.ts';

/** Shows a URL with its password masked. */
export function shownUrl(url: string): HTMLElement {
  return literal(maskedUrl(url), 'mono');
}
