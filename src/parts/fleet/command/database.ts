import type { RetentionBounds } from '#src/checks/record/stats.ts';
import { type DatabaseUrl, readDatabaseUrl } from '#src/checks/store/database-url.ts';
import { readNamedFile } from '#src/core/base/files/named-file.ts';
import type { Io } from '#src/core/base/io.ts';
import { isRequestId } from '#src/core/base/request-id.ts';
import { counted } from '#src/core/base/text/counted.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { type Command, type Invocation, type Option, UsageError } from '#src/interfaces/cli/command.ts';
import type { ExitCode } from '#src/interfaces/cli/exit-codes.ts';
import { REPORT_FORMAT, wantsJson } from '#src/interfaces/cli/report-format.ts';
import type { DatabaseStatus } from '#src/parts/postgres/examine-server.ts';
import type { RetentionKey } from '#src/parts/postgres/schema/database-retention.ts';
import type { DatabaseConnection } from '#src/parts/postgres/session/session.ts';
import { checkAuthorities } from '../database-authorities.ts';

/** `--database`, of the commands that are about one. */
export const DATABASE_OPTION: Option = {
  type: 'string',
  value: 'URL',
  description: 'The database: postgres://name:password@db.example/lurecheck, or file:/path of a file with that URL.',
};

const SECRET_FILE = 'file:';

/**
 * Returns the named database. Its URL may contain a password, so messages do not quote it.
 *
 * @throws UsageError; OperationError if the file of the URL or of its authorities is unusable
 */
export async function databaseOf(invocation: Pick<Invocation, 'text'>): Promise<DatabaseUrl> {
  const written = invocation.text('database');
  if (written === undefined) throw new UsageError('--database URL is missing');
  const isFile = written.startsWith(SECRET_FILE);
  const secret = async () => (await readNamedFile('--database', written.slice(SECRET_FILE.length))).trim();
  const url = readDatabaseUrl(isFile ? await secret() : written);
  if (typeof url === 'string') throw new UsageError(`--database requires the URL of a PostgreSQL database, but ${url}`);
  await checkAuthorities('--database', url);
  return url;
}

/** `lurecheck database` */
export const databaseCommand: Command<'database'> = {
  name: 'database',
  operands: 'migrate | status | set KEY=VALUE…',
  summary: 'create the tables of a log in PostgreSQL, set its retention, show its state',
  options: {
    database: DATABASE_OPTION,
    private: {
      type: 'boolean',
      description: 'The database is that of the private log, to which nodes can only append.',
    },
    installation: {
      type: 'string',
      value: 'ID',
      description: 'Join the database to the installation with this id; database status prints it.',
    },
    format: REPORT_FORMAT,
  },
  examples: [
    {
      line: "lurecheck nodes database migrate --database 'postgres://lurecheck_owner@/lurecheck?host=/run/postgresql'",
      purpose: 'Create or update the tables of the public log.',
    },
    {
      line: 'lurecheck nodes database migrate --private --database file:/etc/lurecheck/private-owner.url',
      purpose: 'Do the same for the private log; the file contains the URL with its password.',
    },
    {
      line: 'lurecheck nodes database set retention_days=365 --database file:/etc/lurecheck/owner.url',
      purpose: 'Keep the checks of the public log for a year, on all nodes.',
    },
    {
      line: 'lurecheck nodes database status --database file:/etc/lurecheck/owner.url',
      purpose: 'Verify that a database fits this version.',
    },
  ],
  async run(invocation, io) {
    const [action, ...rest] = invocation.positionals;
    const isJson = wantsJson(invocation);
    const bounds = action === 'set' ? boundsOf(rest) : null;
    if (bounds === null && (rest.length > 0 || (action !== 'migrate' && action !== 'status'))) {
      throw new UsageError('expected database migrate, database status or database set KEY=VALUE…');
    }
    const url = await databaseOf(invocation);
    const visibility = invocation.flag('private') ? 'private' : 'public';
    if (bounds !== null) return await set(url, bounds, io);
    const installation = invocation.text('installation') ?? null;
    if (installation !== null && !isRequestId(installation.toLowerCase()))
      throw new UsageError(`--installation takes a UUID, not "${installation}"`);
    return action === 'migrate' ? await migrate(url, visibility, installation, io) : await printStatus(url, isJson, io);
  },
};

async function migrate(
  url: DatabaseUrl,
  visibility: Visibility,
  installation: string | null,
  io: Io,
): Promise<ExitCode> {
  const [{ anySchema, onDatabase }, { migrateDatabase }] = await Promise.all([
    import('#src/parts/postgres/examine-server.ts'),
    import('#src/parts/postgres/schema/migrate-database.ts'),
  ]);
  const { from, to } = await onDatabase(
    url,
    ({ sql }) => migrateDatabase(sql, visibility, Date.now(), undefined, installation),
    anySchema,
  );
  await io.stdout.write(`${visibility} log: schema ${from === to ? `${to}, unchanged` : `${from} → ${to}`}\n`);
  return 0;
}

const RETENTION_KEYS: readonly RetentionKey[] = ['retention_days', 'retention_bytes', 'retention_rows'];

/** Parses KEY=NUMBER operands. Throws a UsageError for anything else. */
function boundsOf(written: readonly string[]): ReadonlyMap<RetentionKey, number> {
  const bounds = written.map((text): [RetentionKey, number] => {
    const [name, value = '', ...more] = text.split('=');
    const key = RETENTION_KEYS.find((one) => one === name);
    if (key === undefined) throw new UsageError(`unknown key "${name}"; expected ${RETENTION_KEYS.join(', ')}`);
    const isNumber = /^\d{1,15}$/.test(value) && more.length === 0;
    if (!isNumber || (key === 'retention_days' && Number(value) > MAX_DAYS))
      throw new UsageError(`${key} must be a whole number, not "${value}"`);
    return [key, Number(value)];
  });
  if (bounds.length === 0) throw new UsageError(`expected KEY=VALUE, with ${RETENTION_KEYS.join(', ')}`);
  return new Map(bounds);
}

/** A thousand years. */
const MAX_DAYS = 365_000;

async function set(url: DatabaseUrl, bounds: ReadonlyMap<RetentionKey, number>, io: Io): Promise<ExitCode> {
  const [{ onDatabase, usableDatabase }, { readRetention, setRetention }] = await Promise.all([
    import('#src/parts/postgres/examine-server.ts'),
    import('#src/parts/postgres/schema/database-retention.ts'),
  ]);
  const change = async (connection: DatabaseConnection<unknown>) => {
    await setRetention(connection, bounds);
    return await readRetention(connection);
  };
  const retention = await onDatabase(url, change, usableDatabase);
  await io.stdout.write(`${retentionText(retention)}\n`);
  return 0;
}

function retentionText({ days, bytes, rows }: RetentionBounds): string {
  const bounds = [
    ...(days === null ? [] : [counted(days, 'day')]),
    ...(bytes === null ? [] : [counted(bytes, 'byte')]),
    ...(rows === null ? [] : [counted(rows, 'check')]),
  ];
  return bounds.length === 0 ? 'unlimited' : `at most ${bounds.join(', ')}`;
}

async function printStatus(url: DatabaseUrl, isJson: boolean, io: Io): Promise<ExitCode> {
  const { onDatabase, readDatabaseStatus } = await import('#src/parts/postgres/examine-server.ts');
  const status = await onDatabase(url, readDatabaseStatus);
  await io.stdout.write(isJson ? `${JSON.stringify(status)}\n` : statusText(status));
  return status.problem === null ? 0 : 1;
}

function statusText(status: DatabaseStatus): string {
  const {
    version,
    schema,
    works_with: { from, to },
    problem,
    role,
    installation,
    retention,
    days,
    bytes,
  } = status;
  return [
    `log      ${role ?? 'none'}; installation ${installation ?? 'none yet'}`,
    `schema   ${schema}; lurecheck ${version} works with ${from === to ? to : `${from} to ${to}`}`,
    `bounds   ${retention === null ? 'none' : retentionText(retention)}`,
    `days     ${days === null ? 'none' : `${days.from} to ${days.to}`}`,
    `size     ${(bytes / 1e6).toFixed(1)} MB`,
    ...(problem === null ? [] : [problem]),
    '',
  ].join('\n');
}
