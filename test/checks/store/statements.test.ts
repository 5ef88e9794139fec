import { expect, test } from 'bun:test';
import { getTableColumns, Table } from 'drizzle-orm';
import { openLogFile } from '#src/checks/store/file/log-file.ts';
import { checks } from '#src/checks/store/file/schema.ts';
import { buildStatements } from '#src/checks/store/statements/build-statements.ts';
import { prepareInsertRows } from '#src/checks/store/write/insert-checks.ts';
import { storedCheckOf } from '#src/checks/store/write/stored-check.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { readSources } from '#test/support/source-files.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { STATEMENTS, statementsJson } from '../../../.ci/readme.ts';

test('the stored statements are those that Drizzle writes: run `bun .ci/readme.ts`', async () => {
  expect(await Bun.file(STATEMENTS).json()).toEqual(JSON.parse(statementsJson()));
});

/** The table with its columns in another order, as a later version of the schema may have them. */
function tableOf(names: readonly string[]): typeof checks {
  const columns = Object.entries(getTableColumns(checks)).toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b));
  // Drizzle reads the columns of a table by this symbol.
  const { Columns } = (Table as unknown as { Symbol: { Columns: symbol } }).Symbol;
  return Object.create(checks, { [Columns]: { value: Object.fromEntries(columns) } });
}

test('a check is stored by the names of its columns, whatever their order', async () => {
  const names = Object.keys(getTableColumns(checks));
  const swapped = names.with(names.indexOf('coverage'), 'caution').with(names.indexOf('caution'), 'coverage');
  const record = sampleRecord({ details: { coverage: 'partial', caution: true } });
  const stored = { ...storedCheckOf(record, 'public', () => Buffer.alloc(32)), isUndelivered: false };
  for (const order of [names, swapped, names.toReversed()]) {
    await using directory = temporaryDirectory();
    const logger = createLogger('error', () => {});
    const { path: dataDir } = directory;
    using file = openLogFile({ dataDir, visibility: 'public', create: true, repair: true, nowMs: 0, logger });
    const statements = buildStatements(tableOf(order));
    expect(statements.insertCheck.names).toEqual(order);
    prepareInsertRows(file, statements)()(stored, 1);
    const { settings: _, ...columns } = stored;
    expect(file.db.select().from(checks).all()).toEqual([
      { ...columns, id: 1, activeSettingsId: 1, record: Buffer.from(stored.record) },
    ]);
  }
});

/** A statement in a call that prepares or runs it. */
const BOUND_TEXT =
  /\.(?:query|prepare|run|unsafe)\b[^('"`]*\(\s*(['"`])((?:select|insert|update|delete|with|replace)\s[\s\S]*?)\1/g;

/** Statements that are written by hand. */
const BY_HAND = [
  // The bookkeeping of migrations, and what SQLite knows of a file.
  "file/examine-file.ts: select name from sqlite_schema where type = 'table'",
  'file/migrate.ts: insert into schema_steps (step, name, sha256, applied_at_ms) values (?, ?, ?, ?)',
  "file/migrate.ts: select 1 from sqlite_schema where name = 'schema_steps'",
  "file/migrate.ts: select 1 from sqlite_schema where type = 'table'",
  'file/migrate.ts: select sha256 from schema_steps order by step',
  'ledger/ledger.ts: select applied_at_ms as atMs from schema_steps where step = 0',
  // The columns are those of a damaged file.
  'recovery/recover-log.ts: insert into ',
];

async function foundIn(folder: string): Promise<string[]> {
  return (await readSources()).flatMap(({ path, text }) => {
    const texts = path.startsWith(folder) ? text.matchAll(BOUND_TEXT) : [];
    const name = path.slice(folder.length);
    return [...texts].map(([, , statement = '']) => `${name}: ${statement.replace(/\s+/g, ' ').replace(/\$\{.*/, '')}`);
  });
}

test('every other statement of the files is of Drizzle, except those that are listed', async () => {
  expect((await foundIn('checks/store/')).toSorted()).toEqual(BY_HAND);
});

/** Statements of the databases that are written by hand, beside the append, whose text is made for each number of checks. */
const BY_HAND_IN_DATABASES = [
  // Of the server, its roles and migrations, before it is known which tables a database has.
  'examine-server.ts: select pg_database_size(current_database()) as bytes',
  "examine-server.ts: select right(relname, 8) as day from pg_class where relname ~ '^checks_\\\\d{8}$' and relkind = 'r' order by 1",
  'schema/migrate-database.ts: insert into installation (role, id) values ($1, coalesce($2::uuid, ',
  'schema/migrate-database.ts: insert into schema_steps (step, name, sha256, works_from, applied_at_ms) values ($1, $2, $3, $4, $5)',
  'schema/migrate-database.ts: select current_database() as database',
  "schema/migrate-database.ts: select current_setting('server_version_num') as version",
  'schema/migrate-database.ts: select exists (select from nodes) or exists (select from counts) as figures',
  'schema/migrate-database.ts: select from pg_roles where rolname = $1',
  "schema/migrate-database.ts: select has_table_privilege(oid, 'checks', 'insert') as may from pg_roles where rolname = $1",
  'schema/migrate-database.ts: select make_partitions()',
  "schema/migrate-database.ts: select pg_advisory_xact_lock(hashtextextended('lurecheck migrate', 0))",
  'schema/migrate-database.ts: select role from installation',
  'schema/migrate-database.ts: select rolname from pg_roles where rolname in ($1, $2)',
  'schema/schema-steps.ts: select sha256, works_from from schema_steps order by step',
  // Functions of the schema.
  'read/blocked-names.ts: select fold_blocked($1) as folded',
  'schema/database-retention.ts: select forget_nodes(), forget_shared_files()',
  'schema/database-retention.ts: select maintain_checks() as dropped',
  'session/server-guard.ts: select join_installation($1)::text as id',
  // The spool, whose tables this and older programs share.
  'manage-spools.ts: select request_id, aside_state from (select * from (select request_id, aside_state from waiting where is_aside = 1 order by place) union all select * from (select request_id, aside_state from waiting_messages where is_aside = 1 order by place))',
  'manage-spools.ts: select sum(checks) as checks from (select count(*) as checks from waiting where is_aside = 0 union all select count(*) from waiting_messages where is_aside = 0)',
  'spool.ts: delete from waiting where place = ?',
  'spool.ts: delete from waiting_messages where place = ?',
  'spool.ts: insert or ignore into waiting (',
  'spool.ts: insert or ignore into waiting_messages (request_id, message) values (?, ?)',
  'spool.ts: select * from waiting where is_aside = 0 order by place limit ?',
  'spool.ts: select count(*) filter (where is_aside = 0) as waiting, count(*) filter (where is_aside = 1) as aside from (select is_aside from waiting union all select is_aside from waiting_messages)',
  'spool.ts: select place, message from waiting_messages where is_aside = 0 order by place limit ?',
  'spool.ts: update waiting set is_aside = 1, aside_state = ? where place = ?',
  'spool.ts: update waiting_messages set is_aside = 1, aside_state = ? where place = ?',
];

test('every other statement of the databases is of Drizzle, except those that are listed', async () => {
  expect((await foundIn('parts/postgres/')).toSorted()).toEqual(BY_HAND_IN_DATABASES.toSorted());
});
