import { isText, listWith, mapWith, objectWith } from '#src/core/base/guard.ts';
import { nameLines } from './name-lines.ts';

const WIDTH = 100;

const isBootstrap = objectWith({ publication: isText, services: listWith(listWith(listWith(isText))) });

/** Returns the text of `rdap-servers.json`, from the bootstrap file of IANA for domain names (RFC 9224). */
export function deriveRdapServers(bootstrap: unknown): string {
  if (!isBootstrap(bootstrap)) throw new Error('the RDAP bootstrap file has another form than RFC 9224');
  const servers = bootstrap.services.flatMap(([suffixes = [], urls = []]) => {
    // Answers over http are not authenticated, and are not asked for.
    const url = urls.find((one) => one.startsWith('https://'))?.replace(/\/?$/, '/');
    return url === undefined ? [] : suffixes.map((suffix) => [suffix.toLowerCase(), url] as const);
  });
  const day = bootstrap.publication.slice(0, 10);
  return tableText(servers, {
    source: `IANA, RDAP bootstrap service registry for domain names (RFC 9224), publication ${day}; servers without https left out; {suffix} stands for the suffix itself`,
    retrieved: day,
    licence: 'CC0 (IANA protocol registries)',
  });
}

const isSuffixTable = mapWith(isText);

/** Returns the text of `whois-servers.json`, from a table of the server of each suffix that was collected on a day. */
export function deriveWhoisServers(table: unknown, day: string): string {
  if (!isSuffixTable(table)) throw new Error('the WHOIS servers are not a table of suffixes');
  const servers = Object.entries(table).filter(([, server]) => /^[a-z\d.-]+\.[a-z\d-]+$/.test(server));
  return tableText(servers, {
    source: `the WHOIS servers that IANA lists for each top-level domain, from a public collection of ${day}; {suffix} stands for the suffix itself`,
    retrieved: day,
    licence: 'facts',
  });
}

/** Writes a fact file of servers with their suffixes, in lines of names. */
function tableText(servers: readonly (readonly [suffix: string, server: string])[], facts: object): string {
  const patterns = Map.groupBy(servers, ([suffix, server]) => withPlaceholder(server, suffix));
  const byServer = Map.groupBy(servers, ([suffix, server]) => {
    const pattern = withPlaceholder(server, suffix);
    return (patterns.get(pattern)?.length ?? 0) > 1 ? pattern : server;
  });
  const entries = [...byServer]
    .map(([server, found]) => [server, nameLines(found.map(([suffix]) => suffix).sort(), WIDTH)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ ...facts, entries: Object.fromEntries(entries) }, null, 2)}\n`;
}

/** `whois.nic.club` → `whois.nic.{suffix}`, `https://rdap.example/club/` → `https://rdap.example/{suffix}/`. */
function withPlaceholder(server: string, suffix: string): string {
  const parts = server.split(/(?<=[./])|(?=[./])/);
  const index = parts.lastIndexOf(suffix);
  return index < 1 ? server : parts.with(index, '{suffix}').join('');
}
