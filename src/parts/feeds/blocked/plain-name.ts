/** Letters, digits, hyphens, underscores and dots, at most 253 characters: the longest name in DNS (RFC 1035 §2.3.4). */
const PLAIN_NAME = /^[a-z\d_]([a-z\d._-]{0,251}[a-z\d])?$/;

/** Returns true for a name that every resolver and firewall reads. */
export function isPlainName(name: string): boolean {
  return PLAIN_NAME.test(name);
}
