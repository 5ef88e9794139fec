import type { SQL } from 'bun';
import { StoreError } from '#src/checks/store/store-error.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { nameInstallation } from '../session/installation.ts';
import { grantRights, requireRoles, revokeFromOther } from './database-roles.ts';
import {
  checkSchema,
  DATABASE_STEPS,
  type DatabaseStep,
  readSchema,
  type SchemaState,
  sha256,
} from './schema-steps.ts';

/** Minimum PostgreSQL version: earlier ones let every role create tables. */
const OLDEST_SERVER = 15;

const BOOKKEEPING = `create table if not exists schema_steps (
  step int4 primary key, name text not null, sha256 text not null, works_from int4 not null, applied_at_ms int8 not null
)`;

/** Result of a migration. */
export interface Migrated {
  /** Number of steps before and after it. */
  readonly from: number;
  readonly to: number;
}

/**
 * Upgrades a database to the latest schema and grants the roles their rights, in one transaction; only for its owner.
 * Concurrent migrations are serialized.
 *
 * @param installation id of the installation, if the operator names one
 * @throws StoreError if roles are missing, the schema is unknown, or the database holds the other log
 */
export async function migrateDatabase(
  sql: SQL,
  visibility: Visibility,
  nowMs: number,
  steps: readonly DatabaseStep[] = DATABASE_STEPS,
  installation: string | null = null,
): Promise<Migrated> {
  return await sql.begin(async (transaction) => {
    await transaction.unsafe("select pg_advisory_xact_lock(hashtextextended('lurecheck migrate', 0))");
    // Search path of the schema's functions, for every caller.
    await transaction.unsafe('set local search_path = public, pg_temp');
    await transaction.unsafe('set local statement_timeout = 0');
    await requireServer(transaction);
    await requireRoles(transaction, visibility);
    await transaction.unsafe(BOOKKEEPING);
    const before = await readSchema(transaction);
    requireOurs(before, steps);
    for (const [step, one] of steps.entries()) {
      if (step >= before.version) await apply(transaction, step, one, nowMs);
    }
    await nameInstallation(transaction, visibility, installation);
    await grantRights(transaction, visibility);
    await revokeFromOther(transaction, visibility);
    await transaction.unsafe('select make_partitions()');
    return { from: before.version, to: Math.max(before.version, steps.length) };
  });
}

/** Accepts any older known schema; a database that a newer program migrated stays as it is. */
function requireOurs(state: SchemaState, steps: readonly DatabaseStep[]): void {
  if (state.version > 0) checkSchema(state, steps, 1);
}

async function apply(sql: SQL, step: number, { name, sql: text, worksFrom }: DatabaseStep, nowMs: number) {
  for (const statement of text.split('--> statement-breakpoint')) await sql.unsafe(statement).simple();
  await sql.unsafe(
    'insert into schema_steps (step, name, sha256, works_from, applied_at_ms) values ($1, $2, $3, $4, $5)',
    [step, name, sha256(text), worksFrom, nowMs],
  );
}

async function requireServer(sql: SQL): Promise<void> {
  const [server]: { version: string }[] = await sql.unsafe("select current_setting('server_version_num') as version");
  const major = Math.floor(Number(server?.version) / 10_000);
  if (major < OLDEST_SERVER) {
    throw new StoreError(
      'older_version',
      `The server is PostgreSQL ${major}; lurecheck needs ${OLDEST_SERVER} or newer.`,
    );
  }
}
