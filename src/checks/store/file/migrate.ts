import type { Database } from 'bun:sqlite';
import { StoreError } from '../store-error.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';

const BOOKKEEPING = `create table schema_steps (
  step integer primary key, name text not null, sha256 text not null, applied_at_ms integer not null
) strict`;

/** What {@link migrate} needs to know besides the file. */
export interface MigrateOptions {
  readonly nowMs: number;
  /** Whether a file of an older version may be changed. */
  readonly mayUpgrade: boolean;
  /** Called before a file that holds checks is changed. */
  readonly backUp: (fromVersion: number) => void;
  readonly migrations?: readonly Migration[];
}

/**
 * Brings a file to the newest schema in one transaction; does nothing to a file that is there already. `user_version`
 * is the number of steps that a file has seen, and a table keeps their hashes.
 *
 * @throws StoreError `older_version` where it must not be changed, `newer_version` where a newer program wrote the file, `unknown_history` where its steps are not ours
 */
export function migrate(database: Database, options: MigrateOptions): void {
  const migrations = options.migrations ?? MIGRATIONS;
  const version = database.transaction(() => checkedVersion(database, migrations))();
  // Not before the check: a file that is refused must stay as it is.
  database.query('pragma journal_mode = wal').all();
  if (version === migrations.length) return;
  if (version > 0) {
    if (!options.mayUpgrade) {
      throw new StoreError(
        'older_version',
        `${database.filename} was written by an older version. Start lurecheck serve once.`,
      );
    }
    options.backUp(version);
  }
  // IMMEDIATE: a second process waits here, and then finds the work done.
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

/** The number of our steps that the file has seen, which must be all that it has seen. */
function checkedVersion(database: Database, migrations: readonly Migration[]): number {
  const version = versionOf(database);
  if (version > migrations.length) {
    throw new StoreError(
      'newer_version',
      `${database.filename} was written by a newer version of lurecheck (schema ${version}, this one knows ${migrations.length}). Use that version, or another data directory. Nothing was changed.`,
    );
  }
  if (!isOurs(database, version, migrations)) {
    throw new StoreError(
      'unknown_history',
      `${database.filename} has a schema that no release of lurecheck made. Use another data directory. Nothing was changed.`,
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

function versionOf(database: Database): number {
  return database.query<{ user_version: number }, []>('pragma user_version').get()?.user_version ?? 0;
}

function sha256(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}
