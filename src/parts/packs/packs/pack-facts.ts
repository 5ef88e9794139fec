import { DAY_MS } from '#src/core/base/clock.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { readServerTable, SERVER_TABLES, type ServerTable } from '#src/core/knowledge/registries/server-table.ts';
import type { Member } from './manifest.ts';
import { sortMembers } from './member-kinds.ts';
import type { OpenPack } from './open-pack.ts';
import { PackError } from './pack-error.ts';

/** The tables of the program take 12 kB; larger ones would occupy the serving thread. */
const MAX_BYTES = 64 * 1024;

/** Reads the tables of facts of a pack. Throws a PackError if one cannot be used. */
export async function factsIn(pack: OpenPack): Promise<ServerTable[]> {
  const tables: ServerTable[] = [];
  for (const member of sortMembers(pack.manifest).knownMembers) {
    if (member.kind === 'facts') tables.push(await readTable(member, pack));
  }
  return tables;
}

async function readTable(member: Member, pack: OpenPack): Promise<ServerTable> {
  const refused = (why: string, cause?: unknown) =>
    new PackError('unusable', `its ${member.name} cannot be used: ${why}`, { cause });
  const name = SERVER_TABLES.find((one) => member.name === `facts/${one}`);
  if (name === undefined) throw refused('this version knows no such table');
  if (member.bytes > MAX_BYTES) throw refused(`it has more than ${MAX_BYTES} bytes`);
  const text = new TextDecoder().decode(await pack.read(member));
  let table: ServerTable;
  try {
    table = readServerTable(name, parseJson(text));
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error), error);
  }
  const { retrieved } = table;
  const { created } = pack.manifest;
  // A day to come would keep the table in use after the program has a newer one.
  if (Date.parse(retrieved) <= Date.parse(created) + DAY_MS) return table;
  throw refused(`"retrieved" is ${retrieved}, and the pack was created on ${created.slice(0, 10)}`);
}
