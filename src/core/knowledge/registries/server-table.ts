import { type Guard, isText, mapWith, objectWith, textLike } from '#src/core/base/guard.ts';
import { checkFacts } from '../fact-file.ts';

/** Names of the tables of registry servers, which a pack can renew. */
export const SERVER_TABLES = ['rdap-servers.json', 'whois-servers.json'] as const;

/** Name of a table of registry servers. */
export type ServerTableName = (typeof SERVER_TABLES)[number];

/** A table of registry servers. */
export interface ServerTable {
  readonly name: ServerTableName;
  /** ISO 8601 day on which it was retrieved from its source. */
  readonly retrieved: string;
  /** Servers by the suffix for which they answer. */
  readonly servers: ReadonlyMap<string, string>;
}

/** Servers of a table, where `{suffix}` is replaced by a suffix. */
const SERVERS: Readonly<Record<ServerTableName, RegExp>> = {
  'rdap-servers.json': /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:\/[\w.~-]+)*\/$/,
  'whois-servers.json': /^[a-z0-9.-]+$/,
};

const isSuffixLine = textLike(/^[a-z0-9.-]+(?: [a-z0-9.-]+)*$/);
const isDated = objectWith<{ retrieved: string }>({ retrieved: isText });

/** Reads a table of registry servers. Throws an Error that says what is wrong with it. */
export function readServerTable(name: ServerTableName, file: unknown): ServerTable {
  const entries = Object.entries(checkFacts(name, file, entriesOf(name)));
  const servers = entries.flatMap(([server, lines]) =>
    lines.flatMap((line) => line.split(' ').map((suffix) => [suffix, server.replace('{suffix}', suffix)] as const)),
  );
  return { name, retrieved: isDated(file) ? file.retrieved : '', servers: new Map(servers) };
}

/** Accepts lists of suffixes by their servers, at least one: an empty table would end all queries. */
function entriesOf(name: ServerTableName): Guard<Record<string, string[]>> {
  const isLines = mapWith((lines): lines is string[] => Array.isArray(lines) && lines.every(isSuffixLine));
  return (value): value is Record<string, string[]> =>
    isLines(value) && Object.keys(value).length > 0 && Object.keys(value).every((server) => isServer(name, server));
}

function isServer(name: ServerTableName, written: string): boolean {
  const server = written.replace('{suffix}', 'x');
  return SERVERS[name].test(server) && URL.canParse(server.includes('/') ? server : `https://${server}/`);
}
