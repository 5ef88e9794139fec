/** An address with a port, as of a command server; the list covers the address. */
const ADDRESS_WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([\da-f:.]+)\]):\d{1,5}$/i;
const BLOCK = /^[\da-f.:]+\/\d+$/i;
/** A host without a scheme, and a port, path or query behind it. */
const HOST_AND_REST = /^([^\s/?#:@|^]+)((?::\d{1,5})?)([/?]\S*|)$/;

/**
 * Returns a value of a list as an entry spells it: `.evil.example` and `*.evil.example` are the host with what is below
 * it, `192.0.2.1:8080` is the address, `evil.example/path` and `evil.example:8080` are URLs.
 */
export function entryValue(written: string): string {
  const value = written.replace(/^(?:\*?\.|\/\/)(?=[^.*/\s])/, '');
  const [, ipv4, ipv6] = ADDRESS_WITH_PORT.exec(value) ?? [];
  if (ipv4 !== undefined || ipv6 !== undefined) return ipv4 ?? ipv6 ?? '';
  if (BLOCK.test(value)) return value;
  const [, host, port, rest] = HOST_AND_REST.exec(value) ?? [];
  return !host?.includes('.') || `${port}${rest}` === '' ? value : `http://${host}${port}${rest || '/'}`;
}

const HASH = /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{56}|[\da-f]{64}|[\da-f]{96}|[\da-f]{128})$/i;

/** Returns true for a hash of a file, in hexadecimal digits, which many feeds have beside URLs. */
export function isHash(value: string): boolean {
  return HASH.test(value);
}
