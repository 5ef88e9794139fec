/** A URL as somebody typed it, but for its password: what was typed by one may be seen by others. */
export function maskedUrl(url: string): string {
  return url.replace(/^([a-z]+:[\\/]+[^\\/?#:@]*:)[^\\/?#]*@/i, '$1***@');
}
