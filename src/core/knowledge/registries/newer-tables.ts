import rdapServers from './rdap-servers.json' with { type: 'json' };
import { SERVER_TABLES, type ServerTable, type ServerTableName } from './server-table.ts';
import whoisServers from './whois-servers.json' with { type: 'json' };

/** The tables of registry servers that are part of the program, unread. */
export const BUILT_IN_TABLES: Readonly<Record<ServerTableName, { readonly retrieved: string }>> = {
  'rdap-servers.json': rdapServers,
  'whois-servers.json': whoisServers,
};

/** Returns the latest table of each name that is newer than the program's; of equal days, the first. */
export function newerTables<Table extends Pick<ServerTable, 'name' | 'retrieved'>>(tables: readonly Table[]): Table[] {
  return SERVER_TABLES.flatMap((name) => {
    const newer = tables.filter((one) => one.name === name && one.retrieved > BUILT_IN_TABLES[name].retrieved);
    return newer.toSorted((a, b) => (a.retrieved < b.retrieved ? 1 : a.retrieved > b.retrieved ? -1 : 0)).slice(0, 1);
  });
}
