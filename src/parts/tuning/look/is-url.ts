/** Returns true if the name of a page is its URL, not that of a file. */
export function isUrl(page: string): boolean {
  return /^https?:\/\//i.test(page);
}
