/** Masks the password of a URL, since others may see it. */
export function maskedUrl(url: string): string {
  return url.replace(/^([a-z]+:[\\/]+[^\\/?#:@]*:)[^\\/?#]*@/i, '$1***@');
}
