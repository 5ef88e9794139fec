import type { Database } from 'bun:sqlite';
import checks from '../../../../drizzle/sql/0000_checks.sql' with { type: 'text' };
import exported from '../../../../drizzle/sql/0001_exports.sql' with { type: 'text' };
import coverage from '../../../../drizzle/sql/0002_coverage.sql' with { type: 'text' };
import deciding from '../../../../drizzle/sql/0003_deciding_host.sql' with { type: 'text' };
import decidedBy from '../../../../drizzle/sql/0004_decided_by.sql' with { type: 'text' };
import messages from '../../../../drizzle/sql/0005_messages.sql' with { type: 'text' };
import { StoreError } from '../store-error.ts';

/** A step of the schema. */
export interface Migration {
  /** File name in `drizzle/sql` without the extension. */
  readonly name: string;
  /** Statements, separated by drizzle-kit's breakpoint comments. */
  readonly sql: string;
}

/** All steps in order. A released step never changes; a later one corrects it. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0000_checks', sql: checks },
  { name: '0001_exports', sql: exported },
  { name: '0002_coverage', sql: coverage },
  { name: '0003_deciding_host', sql: deciding },
  { name: '0004_decided_by', sql: decidedBy },
  { name: '0005_messages', sql: messages },
];

const BOOKKEEPING = `create table schema_steps (
  step integer primary key, name text not null, sha256 text not null, applied_at_ms integer not null
) strict`;

/** Options of {@link migrate}. */
export interface MigrateOptions {
  readonly nowMs: number;
  /** True if a file of an older version may be changed. */
  readonly mayUpgrade: boolean;
  /** Called before a file that holds checks is changed. */
  readonly backUp: (fromVersion: number) => void;
  readonly migrations?: readonly Migration[];
}

/**
 * Upgrades a file to the latest schema in one transaction. `user_version` is the number of applied steps, and a table
 * stores their hashes.
 *
 * @throws StoreError `older_version` if it must not be changed, `newer_version` if a newer program wrote the file,
 * `unknown_history` if it has unknown steps
 */
export function migrate(database: Database, options: MigrateOptions): void {
  const migrations = options.migrations ?? MIGRATIONS;
  const version = database.transaction(() => checkedVersion(database, migrations))();
  // Only after the check: a refused file must not be changed.
  database.query('pragma journal_mode = wal').all();
  if (version === migrations.length) return;
  if (version > 0) {
    if (!options.mayUpgrade) {
      throw new StoreError(
        'older_version',
        `${pathOf(database)} was written by an older version. Start lurecheck serve once.`,
      );
    }
    options.backUp(version);
  }
  // IMMEDIATE: a concurrent process waits here and then finds the upgrade done.
  database.transaction(() => applyMissing(database, migrations, options.nowMs)).immediate();
}

function applyMissing(database: Database, migrations: readonly Migration[], nowMs: number): void {
  const version = checkedVersion(database, migrations);
  if (version === 0) database.run(BOOKKEEPING);
  for (const [step, migration] of migrations.entries()) {
    if (step < version) continue;
    for (const statement of migration.sql.split('--> statement-breakpoint')) database.run(statement);
    database
      .query('insert into schema_steps (step, name, sha256, applied_at_ms) values (?, ?, ?, ?)')
      .run(step, migration.name, sha256(migration.sql), nowMs);
    database.run(`pragma user_version = ${step + 1}`);
  }
}

/** Returns the number of applied steps; throws StoreError if there are others. */
function checkedVersion(database: Database, migrations: readonly Migration[]): number {
  const version = versionOf(database);
  if (version > migrations.length) {
    throw new StoreError(
      'newer_version',
      `${pathOf(database)} was written by a newer version of lurecheck (schema ${version}, this one supports ${migrations.length}). Use that version, or another data directory. Nothing was changed.`,
    );
  }
  if (!isOurs(database, version, migrations)) {
    throw new StoreError(
      'unknown_history',
      `${pathOf(database)} has a schema that no release of lurecheck made. Use another data directory. Nothing was changed.`,
    );
  }
  return version;
}

function isOurs(database: Database, version: number, migrations: readonly Migration[]): boolean {
  if (version === 0) return database.query("select 1 from sqlite_schema where type = 'table'").get() === null;
  if (!database.query("select 1 from sqlite_schema where name = 'schema_steps'").get()) return false;
  const hashes = database.query<{ sha256: string }, []>('select sha256 from schema_steps order by step').all();
  return (
    hashes.length === version && hashes.every(({ sha256: hash }, step) => hash === sha256(migrations[step]?.sql ?? ''))
  );
}

/** Returns the path of a file that may have been opened by its URI. */
function pathOf(database: Database): string {
  return database.query<{ file: string }, []>('pragma database_list').get()?.file ?? database.filename;
}

function versionOf(database: Database): number {
  return database.query<{ user_version: number }, []>('pragma user_version').get()?.user_version ?? 0;
}

function sha256(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}
