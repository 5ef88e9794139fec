import type { Visibility } from '#src/base/visibility.ts';
import type { DatabaseStatus } from '#src/store/postgres/database-status.ts';
import type { DatabaseUrl } from '#src/store/postgres/database-url.ts';
import { type Command, choice, UsageError } from '../command.ts';
import { DATABASE_OPTION, databaseOf } from '../database-option.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Io } from '../io.ts';

const STATUS_FORMATS = ['text', 'json'] as const;

/** `lurecheck database` */
export const databaseCommand: Command<'database'> = {
  name: 'database',
  operands: 'migrate | status',
  summary: 'makes the tables of a log in PostgreSQL, and says whether this version works with them',
  options: {
    database: DATABASE_OPTION,
    private: { type: 'boolean', description: 'It is that of the private log, which nodes may only add to.' },
    format: { type: 'string', words: STATUS_FORMATS, description: 'How to write the status. Default: text.' },
  },
  examples: [
    {
      line: "lurecheck database migrate --database 'postgres://lurecheck_owner@/lurecheck?host=/run/postgresql'",
      purpose: 'Make the tables of the public log, or bring them up to date.',
    },
    {
      line: 'lurecheck database migrate --private --database file:/etc/lurecheck/private-owner.url',
      purpose: 'The same for the private log; the file holds the URL with its password.',
    },
    { line: 'lurecheck database status --database file:/etc/lurecheck/owner.url', purpose: 'Does it fit?' },
  ],
  async run(invocation, io) {
    const [action, ...rest] = invocation.positionals;
    const format = choice(invocation, 'format', STATUS_FORMATS) ?? 'text';
    if (rest.length > 0 || (action !== 'migrate' && action !== 'status')) {
      throw new UsageError('write database migrate, or database status');
    }
    const url = await databaseOf(invocation);
    const visibility = invocation.flag('private') ? 'private' : 'public';
    return action === 'migrate' ? await migrate(url, visibility, io) : await tellStatus(url, format, io);
  },
};

async function migrate(url: DatabaseUrl, visibility: Visibility, io: Io): Promise<ExitCode> {
  const [{ onDatabase }, { migrateDatabase }] = await Promise.all([
    import('#src/store/postgres/database-status.ts'),
    import('#src/store/postgres/migrate-database.ts'),
  ]);
  const { from, to } = await onDatabase(url, ({ sql }) => migrateDatabase(sql, visibility, Date.now()));
  await io.stdout.write(from === to ? `schema ${to}, as it was\n` : `schema ${from} → ${to}\n`);
  return 0;
}

async function tellStatus(url: DatabaseUrl, format: (typeof STATUS_FORMATS)[number], io: Io): Promise<ExitCode> {
  const { onDatabase, readDatabaseStatus } = await import('#src/store/postgres/database-status.ts');
  const status = await onDatabase(url, readDatabaseStatus);
  await io.stdout.write(format === 'json' ? `${JSON.stringify(status)}\n` : statusText(status));
  return status.problem === null ? 0 : 1;
}

function statusText({ version, schema, works_with: { from, to }, problem, days, bytes }: DatabaseStatus): string {
  return [
    `schema   ${schema}; lurecheck ${version} works with ${from === to ? to : `${from} to ${to}`}`,
    `days     ${days === null ? 'none' : `${days.from} to ${days.to}`}`,
    `size     ${(bytes / 1e6).toFixed(1)} MB`,
    ...(problem === null ? [] : [problem]),
    '',
  ].join('\n');
}
