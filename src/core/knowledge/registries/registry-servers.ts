import { mapWith } from '#src/core/base/guard.ts';
import { isNameLines, readFacts } from '../fact-file.ts';
import rdapServers from './rdap-servers.json' with { type: 'json' };
import whoisServers from './whois-servers.json' with { type: 'json' };

/** Which server answers for the names below a suffix. */
export interface RegistryServers {
  /** Base URL of the RDAP server, with its final slash; null where none is known. */
  rdap(suffix: string): string | null;
  /** Host name of the WHOIS server; null where none is known. */
  whois(suffix: string): string | null;
}

/**
 * Opens the two tables that are part of the program, each when it is first asked: a run without a network needs neither.
 * Asking throws an Error where a table is damaged.
 */
export function loadRegistryServers(): RegistryServers {
  let rdap: ReadonlyMap<string, string> | null = null;
  let whois: ReadonlyMap<string, string> | null = null;
  return {
    rdap(suffix) {
      rdap ??= readServerTable('rdap-servers.json', rdapServers);
      return rdap.get(suffix) ?? null;
    },
    whois(suffix) {
      whois ??= readServerTable('whois-servers.json', whoisServers);
      return whois.get(suffix) ?? null;
    },
  };
}

function readServerTable(fileName: string, file: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries(readFacts(fileName, file, mapWith(isNameLines)));
  return new Map(
    entries.flatMap(([server, lines]) =>
      lines.flatMap((line) => line.split(' ').map((suffix) => [suffix, server.replace('{suffix}', suffix)] as const)),
    ),
  );
}
