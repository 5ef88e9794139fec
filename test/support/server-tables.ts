/** A day on which a table may be retrieved that is put into a pack now. */
export const TODAY = new Date().toISOString().slice(0, 10);

/** The text of a table of RDAP servers, with one server by default. */
export function rdapTable(retrieved: string, server = 'https://rdap.pack.example/', suffix = 'example'): string {
  return JSON.stringify({ source: 'a test', retrieved, licence: 'CC0', entries: { [server]: [suffix] } });
}

/** The text of a table of WHOIS servers. */
export function whoisTable(retrieved: string): string {
  return rdapTable(retrieved, 'whois.pack.example');
}
