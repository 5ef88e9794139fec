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
  /\.(?:query|prepare|run)\b[^('"`]*\(\s*(['"`])((?:select|insert|update|delete|with|replace)\s[\s\S]*?)\1/g;

/** Statements of the files that are written by hand. */
const BY_HAND = [
  // The bookkeeping of migrations, and what SQLite knows of a file.
  "file/examine-file.ts: select name from sqlite_schema where type = 'table'",
  'file/migrate.ts: insert into schema_steps (step, name, sha256, applied_at_ms) values (?, ?, ?, ?)',
  "file/migrate.ts: select 1 from sqlite_schema where name = 'schema_steps'",
  "file/migrate.ts: select 1 from sqlite_schema where type = 'table'",
  'file/migrate.ts: select sha256 from schema_steps order by step',
  'ledger/extent.ts: select applied_at_ms as atMs from schema_steps where step = 0',
  // The columns are those of a damaged file.
  'recovery/copy-rows.ts: insert into ',
];

test('every other statement of the files is of Drizzle, except those that are listed', async () => {
  const found = (await readSources()).flatMap(({ path, text }) => {
    const [, name = ''] = /^checks\/store\/(?!postgres\/)(.*)/.exec(path) ?? [];
    const texts = name === '' ? [] : text.matchAll(BOUND_TEXT);
    return [...texts].map(([, , statement = '']) => `${name}: ${statement.replace(/\s+/g, ' ').replace(/\$.*/, '')}`);
  });
  expect(found.toSorted()).toEqual(BY_HAND);
});
