import type { RegistryServers } from '#src/core/knowledge/registries/registry-servers.ts';
import { hostOf, suffixesOf } from '#src/core/url/host.ts';
import type { RegistrySettings } from './settings.ts';
import type { SuffixServer } from './suffix-server.ts';

/** Servers to query for a domain. */
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
    timeoutMs: settings.registry_timeout_seconds * 1000,
    rdap(domain) {
      const server = findServer(domain, settings.rdap_server, known.rdap) ?? '';
      return server === '' ? null : server.replace(/\/?$/, '/');
    },
    whois(domain) {
      const server = findServer(domain, settings.whois_server, known.whois) ?? '';
      const [, host = '', port] = /^(.*?)(?::(\d{1,5}))?$/.exec(server) ?? [];
      return host === '' ? null : { host, port: port ? Number(port) : WHOIS_PORT };
    },
  };
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
