import { parseIp } from '#src/core/base/addresses/ip.ts';

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Servers that need more than the bare name, for which `{}` is the placeholder, by the registries' documentation. */
const FORMS: Readonly<Record<string, string>> = {
  'whois.verisign-grs.com': 'domain {}',
  'whois.denic.de': '-T dn,ace {}',
  'whois.jprs.jp': '{}/e',
};

/**
 * Returns a domain in the form of a query: lower case, no final dot. Null unless it is a registrable ASCII name: a
 * query must not contain a second line, an option or a path.
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
