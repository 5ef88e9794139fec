import { foreign } from './foreign.ts';

/** A URL as somebody typed it, but for its password: what was typed by one may be seen by others. */
export function shownUrl(url: string): HTMLElement {
  return foreign(url.replace(/^([a-z]+:[\\/]+[^\\/?#:@]*:)[^\\/?#]*@/i, '$1***@'), 'mono');
}
