import { readVersion } from '#src/network/lists/stored/version-file.ts';
import type { VersionRow } from '#src/network/lists/stored/version-row.ts';

/** Returns rows of the file of a version in their order, behind a number of others. */
export async function readRows(dataDir: string, file: string, skipped: number, limit: number): Promise<VersionRow[]> {
  const rows: VersionRow[] = [];
  let passed = 0;
  for await (const some of readVersion(dataDir, file)) {
    const from = Math.min(some.length, Math.max(0, skipped - passed));
    passed += from;
    rows.push(...some.slice(from, from + limit - rows.length));
    if (rows.length >= limit) break;
  }
  return rows;
}
