import { createLogger } from '#src/base/logger.ts';
import { type LogFile, openLogFile } from '#src/store/file/log-file.ts';
import { MIGRATIONS, type Migration } from '#src/store/file/migrations.ts';

/** The schema, and two steps that it does not have yet: a table is rebuilt with all its rows, and one is added. */
export const LATER_MIGRATIONS: readonly Migration[] = [
  ...MIGRATIONS,
  {
    name: 'rebuild',
    sql: [
      'create table moved (id integer primary key, request_id text not null, note text) strict',
      "insert into moved select id, request_id, 'note ' || id from checks",
      'drop table checks',
      'alter table moved rename to checks',
    ].join(';--> statement-breakpoint\n'),
  },
  { name: 'notes', sql: 'create table notes (a text) strict' },
];

/** Opens the public log with the steps given. */
export function openPublic(dataDir: string, migrations: readonly Migration[] = MIGRATIONS, repair = true): LogFile {
  const logger = createLogger('error', () => {});
  return openLogFile({ dataDir, visibility: 'public', create: true, repair, nowMs: 0, logger, migrations });
}

// Run as a program it upgrades the log of a directory: `older-schema.ts DIRECTORY`.
if (import.meta.main) openPublic(process.argv[2] ?? '', LATER_MIGRATIONS)[Symbol.dispose]();
