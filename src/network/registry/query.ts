import { parseIp } from '#src/core/base/addresses/ip.ts';

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Servers that need more than the bare name; `{}` stands for it. Each is the registry's own documentation. */
const FORMS: Readonly<Record<string, string>> = {
  'whois.verisign-grs.com': 'domain {}',
  'whois.denic.de': '-T dn,ace {}',
  'whois.jprs.jp': '{}/e',
};

/**
 * The domain as a registry is asked for it: lower case, no final dot. Null where it is not a registrable name in
 * ASCII: what goes out on the wire must not carry a second line, an option or a path.
 */
export function registryName(domain: string): string | null {
  const name = domain.toLowerCase().replace(/\.$/, '');
  const labels = name.split('.');
  if (name.length > 253 || labels.length < 2 || parseIp(name) !== null) return null;
  return labels.every((label) => LABEL.test(label)) ? name : null;
}

/** The bytes that ask `server` for `name` (RFC 3912). */
export function whoisQuery(name: string, server: string): string {
  return `${(FORMS[server] ?? '{}').replace('{}', name)}\r\n`;
}
