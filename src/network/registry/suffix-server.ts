import { parseIp } from '#src/core/base/addresses/ip.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';

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

/** A registry server that the operator names for a suffix, `*` for all. An empty server means: ask none. */
export interface SuffixServer {
  readonly suffix: string;
  readonly server: string;
}

/** Reads `suffix=base URL`. A string is the reason why it is refused. */
export function parseRdapServer(text: string): SuffixServer | string {
  const entry = splitEntry(text);
  if (!entry) return `"${text}" must be written as suffix=URL, such as com=https://rdap.example/`;
  const target = parseTarget(entry.server);
  if (entry.server === '') return entry;
  const isPlain = !isTargetProblem(target) && target.query === '' && target.username === '' && !target.hasPassword;
  // A name and a password would never be sent.
  if (isPlain && target.scheme === 'https') return entry;
  return `"${text}" must name an https:// URL without a query, a user or a password`;
}

/** Reads `suffix=host` or `suffix=host:port`. A string is the reason why it is refused. */
export function parseWhoisServer(text: string): SuffixServer | string {
  const entry = splitEntry(text);
  if (!entry) return `"${text}" must be written as suffix=host, such as com=whois.example`;
  const url = URL.parse(`http://${entry.server}/`);
  const isHost = url !== null && url.host === entry.server && url.username === '' && !entry.server.includes('[');
  return entry.server === '' || isHost ? entry : `"${text}" must name a host in lower case, or host:port`;
}

function splitEntry(text: string): SuffixServer | null {
  const [suffix = '', server, ...rest] = text.split('=');
  if (server === undefined || rest.length > 0) return null;
  const isSuffix = suffix === '*' || registryName(`x.${suffix}`) === `x.${suffix}`;
  return isSuffix ? { suffix, server } : null;
}

/** The text that is read back as this. */
export function formatSuffixServer({ suffix, server }: SuffixServer): string {
  return `${suffix}=${server}`;
}
