import { expect, test } from 'bun:test';
import { BUILT_IN_TABLES, newerTables } from '#src/core/knowledge/registries/newer-tables.ts';
import { loadRegistryServers } from '#src/core/knowledge/registries/registry-servers.ts';
import { readServerTable, SERVER_TABLES, type ServerTable } from '#src/core/knowledge/registries/server-table.ts';

const tableOf = (entries: unknown, retrieved = '2999-01-01') => ({ source: 's', licence: 'l', retrieved, entries });
const rdapOf = (entries: unknown, retrieved?: string) =>
  readServerTable('rdap-servers.json', tableOf(entries, retrieved));
const whoisOf = (entries: unknown, retrieved?: string) =>
  readServerTable('whois-servers.json', tableOf(entries, retrieved));

test('gives each suffix its server, and its own name where the server has it', () => {
  const { name, retrieved, servers } = rdapOf({ 'https://rdap.example/{suffix}/': ['com net', 'co.uk'] });
  expect([name, retrieved]).toEqual(['rdap-servers.json', '2999-01-01']);
  expect([...servers]).toEqual([
    ['com', 'https://rdap.example/com/'],
    ['net', 'https://rdap.example/net/'],
    ['co.uk', 'https://rdap.example/co.uk/'],
  ]);
  expect(whoisOf({ 'whois.nic.{suffix}': ['de'] }).servers.get('de')).toBe('whois.nic.de');
});

test.each<[unknown]>([
  [{}],
  [[]],
  [null],
  [{ 'http://rdap.example/': ['com'] }],
  [{ 'https://rdap.example': ['com'] }],
  [{ 'https://rdap.example/?q=/': ['com'] }],
  [{ 'https://user@rdap.example/': ['com'] }],
  [{ 'https://rdap.example:99999/': ['com'] }],
  [{ 'https://rdap.{suffix}.{suffix}/': ['com'] }],
  [{ 'https://rdap.example/': 'com' }],
  [{ 'https://rdap.example/': ['com  net'] }],
  [{ 'https://rdap.example/': ['COM'] }],
  [{ 'https://rdap.example/': [''] }],
  [{ 'https://rdap.example/': ['com'], 'rdap.example': ['net'] }],
])('RDAP servers %j are refused', (entries) => {
  expect(() => rdapOf(entries)).toThrow('rdap-servers.json: "entries" are not in the format of this version');
});

test.each(['https://whois.example/', 'whois.example:43', 'WHOIS.example', '', 'a b', '{name}.example'])(
  'the WHOIS server "%s" is refused',
  (server) => {
    expect(() => whoisOf({ [server]: ['com'] })).toThrow('whois-servers.json');
  },
);

const daysOf = (tables: readonly ServerTable[]) =>
  newerTables(tables).map(({ name, retrieved }) => `${name} ${retrieved}`);

test('of several tables the latest is used, if it is newer than the one of the program', () => {
  const at = (day: string) => rdapOf({ 'https://rdap.example/': ['com'] }, day);
  const own = BUILT_IN_TABLES['rdap-servers.json'].retrieved;
  expect(daysOf([])).toEqual([]);
  expect(daysOf([at('2001-01-01'), at(own)])).toEqual([]);
  expect(daysOf([at('2998-01-01'), at('2999-01-01'), at('2001-01-01')])).toEqual(['rdap-servers.json 2999-01-01']);
  const [first, second] = [at('2999-01-01'), at('2999-01-01')];
  expect(newerTables([first, second])[0]).toBe(first);
});

test('a newer table replaces the one of the program from the next question on, and an older one does not', () => {
  let tables: readonly ServerTable[] = [];
  const servers = loadRegistryServers(() => tables);
  const asked = () => [servers.rdap('com'), servers.rdap('new'), servers.whois('com')];
  const before = asked();
  expect(before[0]).toBe('https://rdap.verisign.com/com/v1/');
  tables = [rdapOf({ 'https://rdap.example/': ['new'] }, '2001-01-01')];
  expect(asked()).toEqual(before);
  tables = [...tables, rdapOf({ 'https://rdap.example/': ['new'] })];
  expect(asked()).toEqual([null, 'https://rdap.example/', before[2] ?? '']);
  tables = [whoisOf({ 'whois.example': ['com'] })];
  expect(asked()).toEqual([before[0] ?? '', before[1] ?? null, 'whois.example']);
  tables = [];
  expect(asked()).toEqual(before);
});

test('a table of the program has the name and the form of one in a pack', () => {
  for (const name of SERVER_TABLES) {
    const { retrieved, servers } = readServerTable(name, BUILT_IN_TABLES[name]);
    expect(retrieved).toBe(BUILT_IN_TABLES[name].retrieved);
    expect(servers.size).toBeGreaterThan(500);
  }
});
