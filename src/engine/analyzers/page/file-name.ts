/** Returns the last segment of an address's path, undecoded; empty if the path ends with a slash. */
export function fileNameOf(address: string): string {
  return address.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';
}
