/** Returns addresses of 500 characters each, for records that fill a file. */
export function longUrls(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `https://example.com/${i}/`.padEnd(500, 'a'));
}
