import { Database } from 'bun:sqlite';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import type { Visibility } from '#src/core/base/visibility.ts';
import { openDatabase } from '#src/checks/store/file/database.ts';
import { newestIdOf } from '#src/checks/store/read/find-checks.ts';
import { readKept } from '#src/checks/store/read/read-stored.ts';
import { prepareInsertKept } from '#src/checks/store/write/insert-checks.ts';

/** Rows that are read at a time. */
const BATCH = 500;

/**
 * Brings the checks that a newer program has logged since into a file of this version's schema, all of them or none, in the order
 * of logging. A record in a form that is not known here stays as it is, and is shown as one that cannot be read. Their number.
 *
 * @throws what SQLite throws where the newer file keeps checks in another way
 */
export function carryOver(newer: string, older: string, visibility: Visibility): number {
  using from = new Database(newer, { readwrite: true, strict: true });
  using to = openDatabase(older);
  const [source, log] = [{ db: drizzle(from) }, { database: to, db: drizzle(to), visibility }];
  const insert = prepareInsertKept(log);
  let carried = 0;
  to.transaction(() => {
    for (let after = newestIdOf(log); ; ) {
      const rows = readKept(source, after, BATCH);
      const last = rows.at(-1);
      if (last === undefined) return;
      insert(rows);
      carried += rows.length;
      after = last.id;
    }
  }).immediate();
  return carried;
}
