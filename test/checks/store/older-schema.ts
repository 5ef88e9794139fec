import { MIGRATIONS, type Migration } from '#src/checks/store/file/migrate.ts';
import { openOrReplace } from '#src/checks/store/file/open-or-replace.ts';
import { createLogger } from '#src/core/base/logger.ts';

/** The schema, and two steps that it does not have yet: a table is rebuilt with all its rows, and one is added. */
export const LATER_MIGRATIONS: readonly Migration[] = [
  ...MIGRATIONS,
  {
    name: 'rebuild',
    sql: [
      'create table moved (id integer primary key, request_id blob not null, note text) strict',
      "insert into moved select id, request_id, 'note ' || id from checks",
      'drop table checks',
      'alter table moved rename to checks',
    ].join(';--> statement-breakpoint\n'),
  },
  { name: 'notes', sql: 'create table notes (a text) strict' },
];

/** Opens the public log with the steps given. */
export function openPublic(dataDir: string, migrations: readonly Migration[] = MIGRATIONS, repair = true) {
  const options = {
    create: true,
    repair,
    expected: null,
    nowMs: 0,
    logger: createLogger('error', () => {}),
    migrations,
  };
  const { database } = openOrReplace(`${dataDir}/public.sqlite`, options, () => null);
  return { database, [Symbol.dispose]: () => database.close() };
}

// Run as a program it upgrades the log of a directory: `older-schema.ts DIRECTORY`.
if (import.meta.main) openPublic(process.argv[2] ?? '', LATER_MIGRATIONS)[Symbol.dispose]();
