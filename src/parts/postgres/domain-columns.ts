import { hostOfRow, indexedSuffixes } from '#src/checks/store/domains/host-suffixes.ts';
import { pgChecks } from './schema/tables.ts';

const { domain1, domain2, domain3, domain4, domain5, domain6, domain7 } = pgChecks;

/** Columns of the names of a check, from one label on; the last one has longer names too. */
const COLUMNS = [domain1, domain2, domain3, domain4, domain5, domain6, domain7] as const;

/** Names of the columns. */
export const DOMAIN_COLUMNS: readonly string[] = COLUMNS.map(({ name }) => name);

/** Returns a check's values of {@link DOMAIN_COLUMNS}: no two of its names have the same column. */
export function domainColumns(check: { readonly host: string | null; readonly url: string }): (number | null)[] {
  const values: (number | null)[] = COLUMNS.map(() => null);
  for (const name of indexedSuffixes(hostOfRow(check))) values[placeOf(name)] = domainHash(name);
  return values;
}

/** Returns the column in which checks of a domain have a hash, and that hash. Domains may collide: readers compare the host. */
export function domainColumn(domain: string) {
  return { column: COLUMNS[placeOf(domain)] ?? domain7, hash: domainHash(domain) };
}

function placeOf(name: string): number {
  let place = 0;
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) place++;
  return Math.min(place, COLUMNS.length - 1);
}

/** Returns a hash that a migration can compute in SQL. */
function domainHash(domain: string): number {
  return new Bun.CryptoHasher('sha256').update(domain).digest().readInt32BE(0);
}
