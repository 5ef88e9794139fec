import type { RegistryServers } from '#src/knowledge/registry-servers.ts';
import { hostOf, suffixesOf } from '#src/url/host.ts';
import { isTargetProblem, parseTarget } from '#src/url/target.ts';
import { registryName } from './query.ts';

/** A registry server that the operator names for a suffix, `*` for all. An empty server means: ask none. */
export interface SuffixServer {
  readonly suffix: string;
  readonly server: string;
}

/** What the operator decides about registries. */
export interface RegistrySettings {
  /** Base URLs, `com=https://rdap.example/`; they win over the built-in ones. */
  readonly rdapServer: readonly SuffixServer[];
  /** Hosts with or without a port, `com=whois.example:43`; they win over the built-in ones. */
  readonly whoisServer: readonly SuffixServer[];
  /** For all that is asked over RDAP in one look-up, and once more for all over WHOIS. */
  readonly registryTimeoutMs: number;
}

/** Where to ask for a domain. */
export interface RegistryDirectory {
  /** Base URL with its final slash, or null. */
  rdap(domain: string): string | null;
  whois(domain: string): { readonly host: string; readonly port: number } | null;
  readonly timeoutMs: number;
}

const WHOIS_PORT = 43;

/** Puts the operator's servers before the built-in ones; the longest suffix of a domain that has one decides. */
export function createRegistryDirectory(known: RegistryServers, settings: RegistrySettings): RegistryDirectory {
  return {
    timeoutMs: settings.registryTimeoutMs,
    rdap(domain) {
      const server = findServer(domain, settings.rdapServer, known.rdap) ?? '';
      return server === '' ? null : server.replace(/\/?$/, '/');
    },
    whois(domain) {
      const server = findServer(domain, settings.whoisServer, known.whois) ?? '';
      const [, host = '', port] = /^(.*?)(?::(\d{1,5}))?$/.exec(server) ?? [];
      return host === '' ? null : { host, port: port ? Number(port) : WHOIS_PORT };
    },
  };
}

/** Reads `suffix=base URL`. A string is the reason why it is refused. */
export function parseRdapServer(text: string): SuffixServer | string {
  const entry = splitEntry(text);
  if (!entry) return `"${text}" must be written as suffix=URL, such as com=https://rdap.example/`;
  const target = parseTarget(entry.server);
  if (entry.server === '' || (!isTargetProblem(target) && target.scheme === 'https' && target.query === ''))
    return entry;
  return `"${text}" must name an https:// URL without a query`;
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

function findServer(
  domain: string,
  named: readonly SuffixServer[],
  known: (suffix: string) => string | null,
): string | null {
  const suffixes = suffixesOf(hostOf(domain));
  const own = suffixes
    .map((suffix) => named.find((entry) => entry.suffix === suffix))
    .find((entry) => entry !== undefined);
  const fallback = named.find((entry) => entry.suffix === '*');
  return (own ?? fallback)?.server ?? suffixes.map(known).find((server) => server !== null) ?? null;
}
