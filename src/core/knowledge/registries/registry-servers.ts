import { BUILT_IN_TABLES, newerTables } from './newer-tables.ts';
import { readServerTable, type ServerTable, type ServerTableName } from './server-table.ts';

/** Which server answers for the names below a suffix. */
export interface RegistryServers {
  /** Base URL of the RDAP server, with its final slash; null if none is known. */
  rdap(suffix: string): string | null;
  /** Host name of the WHOIS server; null if none is known. */
  whois(suffix: string): string | null;
}

/**
 * Opens the two tables that are part of the program, each when it is first asked: a run without a network needs neither.
 * Asking throws an Error if a table is damaged.
 *
 * @param ofPacks returns the tables of the active packs, of which a newer one replaces the program's
 */
export function loadRegistryServers(ofPacks: () => readonly ServerTable[] = () => []): RegistryServers {
  const builtIn = new Map<ServerTableName, ServerTable>();
  const serverOf = (name: ServerTableName, suffix: string): string | null => {
    const newer = newerTables(ofPacks()).find((one) => one.name === name);
    const table = newer ?? builtIn.get(name) ?? readServerTable(name, BUILT_IN_TABLES[name]);
    if (newer === undefined) builtIn.set(name, table);
    return table.servers.get(suffix) ?? null;
  };
  return {
    rdap: (suffix) => serverOf('rdap-servers.json', suffix),
    whois: (suffix) => serverOf('whois-servers.json', suffix),
  };
}
