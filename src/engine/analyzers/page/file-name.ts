/** The last part of an address's path, as it is written; empty where the path ends with a slash. */
export function fileNameOf(address: string): string {
  return address.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';
}
