import type { SQL } from 'bun';
import type { Visibility } from '#src/core/base/visibility.ts';
import { StoreError } from '../../store-error.ts';
import { grantRights, requireRoles, revokeFromOther } from './database-roles.ts';
import { nameInstallation } from '../session/installation.ts';
import {
  checkSchema,
  DATABASE_STEPS,
  type DatabaseStep,
  readSchema,
  type SchemaState,
  sha256,
} from './schema-steps.ts';

/** Before it, everybody may make tables in a database. */
const OLDEST_SERVER = 15;

const BOOKKEEPING = `create table if not exists schema_steps (
  step int4 primary key, name text not null, sha256 text not null, works_from int4 not null, applied_at_ms int8 not null
)`;

/** What a migration did. */
export interface Migrated {
  /** Number of steps before and after. */
  readonly from: number;
  readonly to: number;
}

/**
 * Brings a database to the newest schema and gives the roles their rights, in one transaction; only for its owner. Of
 * several at once one does the work, and the others find it done.
 *
 * @param installation the id of the installation, where the operator names one
 * @throws StoreError where roles are missing, the schema is none of ours, or the database holds the other log
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
    // What the functions of the schema find by name, whoever calls them.
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

/** Any older schema of ours can be migrated; a database that a newer program migrated stays as it is. */
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
      `The server is PostgreSQL ${major}; from ${OLDEST_SERVER} on it can be used.`,
    );
  }
}
