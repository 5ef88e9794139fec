import type { Database } from 'bun:sqlite';
import { MIGRATIONS, type Migration } from './migrations.ts';
import { StoreError } from './store-error.ts';

const BOOKKEEPING = `create table if not exists schema_steps (
  step integer primary key, name text not null, sha256 text not null, applied_at_ms integer not null
) strict`;

interface AppliedStep {
  readonly step: number;
  readonly name: string;
  readonly sha256: string;
}

/** What {@link migrate} needs to know besides the file. */
export interface MigrateOptions {
  readonly nowMs: number;
  /** Called before a file that holds tables is changed. */
  readonly backUp: (fromVersion: number) => void;
  readonly migrations?: readonly Migration[];
}

/**
 * Brings a file to the newest schema in one transaction; does nothing to a file that is there already. `user_version`
 * is the number of steps that a file has seen, and a table keeps their hashes.
 *
 * @throws StoreError `newer_version` where a newer program wrote the file, `unknown_history` where its steps are not ours
 */
export function migrate(database: Database, options: MigrateOptions): void {
  const migrations = options.migrations ?? MIGRATIONS;
  if (refuseForeign(database, migrations) === migrations.length) return;
  if (hasTables(database)) options.backUp(versionOf(database));
  // IMMEDIATE: a second process waits here, and then finds the work done.
  database
    .transaction(() => {
      database.run(BOOKKEEPING);
      for (const [step, migration] of [...migrations.entries()].slice(refuseForeign(database, migrations))) {
        for (const statement of migration.sql.split('--> statement-breakpoint')) database.run(statement);
        database
          .query('insert into schema_steps (step, name, sha256, applied_at_ms) values (?, ?, ?, ?)')
          .run(step, migration.name, sha256(migration.sql), options.nowMs);
        database.run(`pragma user_version = ${step + 1}`);
      }
    })
    .immediate();
}

/** The number of our steps that the file has seen. */
function refuseForeign(database: Database, migrations: readonly Migration[]): number {
  const version = versionOf(database);
  if (version > migrations.length) {
    throw new StoreError(
      'newer_version',
      `${database.filename} was written by a newer version of lurecheck (schema ${version}, this one knows ${migrations.length}). Use that version, or another data directory. Nothing was changed.`,
    );
  }
  const applied =
    version === 0
      ? []
      : database.query<AppliedStep, []>('select step, name, sha256 from schema_steps order by step').all();
  const isOurs = applied.every(({ sha256: hash }, step) => hash === sha256(migrations[step]?.sql ?? ''));
  if (applied.length !== version || !isOurs) {
    throw new StoreError(
      'unknown_history',
      `${database.filename} has a schema that no release of lurecheck made. Use another data directory. Nothing was changed.`,
    );
  }
  return version;
}

function versionOf(database: Database): number {
  return database.query<{ user_version: number }, []>('pragma user_version').get()?.user_version ?? 0;
}

function hasTables(database: Database): boolean {
  return database.query("select 1 from sqlite_schema where type = 'table'").get() !== null;
}

function sha256(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}
