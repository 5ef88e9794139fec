import type { SQL } from 'bun';
import type { Visibility } from '#src/base/visibility.ts';
import { StoreError } from '../store-error.ts';
import {
  checkSchema,
  DATABASE_STEPS,
  type DatabaseStep,
  readSchema,
  type SchemaState,
  sha256,
} from './schema-steps.ts';

/** The roles that a database gives its rights to. The owner makes them once, with passwords of their own. */
export const DATABASE_ROLES: Readonly<Record<Visibility, { readonly node: string; readonly operator: string }>> = {
  public: { node: 'lurecheck_node', operator: 'lurecheck_operator' },
  private: { node: 'lurecheck_private_node', operator: 'lurecheck_operator' },
};

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
 * @throws StoreError where roles are missing, or the schema is none of ours
 */
export async function migrateDatabase(
  sql: SQL,
  visibility: Visibility,
  nowMs: number,
  steps: readonly DatabaseStep[] = DATABASE_STEPS,
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
    await grant(transaction, visibility);
    await transaction.unsafe('select keep_checks(0)');
    return { from: before.version, to: Math.max(before.version, steps.length) };
  });
}

/** A database that a newer program migrated stays as it is. */
function requireOurs(state: SchemaState, steps: readonly DatabaseStep[]): void {
  if (state.version > 0) checkSchema(state, steps);
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

async function requireRoles(sql: SQL, visibility: Visibility): Promise<void> {
  const { node, operator } = DATABASE_ROLES[visibility];
  const found: { rolname: string }[] = await sql.unsafe('select rolname from pg_roles where rolname in ($1, $2)', [
    node,
    operator,
  ]);
  const missing = [node, operator].filter((role) => !found.some(({ rolname }) => rolname === role));
  if (missing.length === 0) return;
  const remedy = missing.map((role) => `create role ${role} login password '…';`).join(' ');
  throw new StoreError('not_found', `The server lacks roles. Let its administrator run: ${remedy}`);
}

/** Who serves may not read past private checks, even where the whole node is in other hands. */
async function grant(sql: SQL, visibility: Visibility): Promise<void> {
  const { node, operator } = DATABASE_ROLES[visibility];
  const kept = 'checks, check_domains, in_force, undelivered';
  const figures = 'counts, blocked, nodes';
  const statements = [
    'revoke all on all tables in schema public from public',
    'revoke all on function keep_checks from public',
    `grant usage on schema public to ${node}, ${operator}`,
    `grant select on schema_steps to ${node}`,
    `grant usage on sequence checks_logged to ${node}`,
    `grant execute on function keep_checks to ${node}`,
    `grant insert on ${kept} to ${node}`,
    `grant select on all tables in schema public to ${operator}`,
    `grant select on sequence checks_logged to ${operator}`,
    ...(visibility === 'public'
      ? [`grant select on ${kept}, checks_logged to ${node}`, `grant select, insert, update on ${figures} to ${node}`]
      : []),
  ];
  for (const statement of statements) await sql.unsafe(statement);
}
