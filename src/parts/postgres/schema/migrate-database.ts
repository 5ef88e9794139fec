import type { SQL } from 'bun';
import { StoreError } from '#src/checks/store/store-error.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import {
  checkSchema,
  DATABASE_STEPS,
  type DatabaseStep,
  readSchema,
  type SchemaState,
  sha256,
} from './schema-steps.ts';

/** Roles with rights in a database. The owner creates them once, with their passwords. */
export const DATABASE_ROLES: Readonly<Record<Visibility, { readonly node: string; readonly operator: string }>> = {
  public: { node: 'lurecheck_node', operator: 'lurecheck_operator' },
  private: { node: 'lurecheck_private_node', operator: 'lurecheck_operator' },
};

/** Throws StoreError with the statement that creates them if the server lacks roles. */
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

/** Grants the roles their rights. A serving node must not read past private checks, even if it is compromised. */
async function grantRights(sql: SQL, visibility: Visibility): Promise<void> {
  const { node, operator } = DATABASE_ROLES[visibility];
  const tables = 'checks, messages, in_force, undelivered';
  const figures = 'counts, blocked, nodes';
  const statements = [
    'revoke all on all tables in schema public from public',
    'revoke all on function make_partitions, maintain_checks, fold_blocked, forget_nodes, forget_shared_files, join_installation, list_hits, missing_checks from public',
    `grant usage on schema public to ${node}, ${operator}`,
    `grant select on schema_steps, installation, timelines, retention to ${node}`,
    `grant insert on timelines to ${node}`,
    `grant usage on sequence checks_logged to ${node}`,
    `grant execute on function maintain_checks, join_installation, missing_checks to ${node}`,
    `grant execute on function list_hits to ${node}, ${operator}`,
    `grant insert on ${tables} to ${node}`,
    `grant select on all tables in schema public to ${operator}`,
    `grant select on sequence checks_logged to ${operator}`,
    ...(visibility === 'public'
      ? [
          `grant select on ${tables}, checks_logged to ${node}`,
          `grant select, insert, update on ${figures} to ${node}`,
          `grant select on blocked_sums to ${node}`,
          `grant execute on function fold_blocked, forget_nodes, forget_shared_files to ${node}`,
          `grant delete on nodes to ${operator}`,
          // A command runs on any node and on the operator's host.
          `grant select, insert, update on shared_documents, shared_files to ${node}, ${operator}`,
          `grant select, insert, update, delete on feedback to ${node}, ${operator}`,
          `grant select, insert, update on jobs to ${node}`,
        ]
      : []),
  ];
  for (const statement of statements) await sql.unsafe(statement);
}

/** Revokes all rights of the other log's node role, which a migration under a wrong flag may have granted. */
async function revokeFromOther(sql: SQL, visibility: Visibility): Promise<void> {
  const other = DATABASE_ROLES[visibility === 'public' ? 'private' : 'public'].node;
  const found: object[] = await sql.unsafe('select from pg_roles where rolname = $1', [other]);
  if (found.length === 0) return;
  for (const what of ['tables', 'sequences', 'functions'])
    await sql.unsafe(`revoke all on all ${what} in schema public from ${other}`);
}

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

/**
 * Records which log a database holds, as the last part of a migration. A database that was migrated before this was
 * recorded holds the log whose nodes have rights in it.
 *
 * @param id id of the installation, if the operator names one
 * @throws StoreError if the database holds the other log
 */
async function nameInstallation(sql: SQL, visibility: Visibility, id: string | null): Promise<void> {
  const role = (await readRole(sql)) ?? (await roleByRights(sql)) ?? visibility;
  if (role !== visibility) throw await wrongRole(sql, role, visibility);
  const [row]: { id: string | null }[] = await sql.unsafe(
    `insert into installation (role, id) values ($1, coalesce($2::uuid, ${role === 'public' ? 'gen_random_uuid()' : 'null'}))
     on conflict (is_only) do update set id = coalesce($2::uuid, installation.id) returning id::text as id`,
    [role, id],
  );
  if (!row) throw new Error('the installation was not named');
}

async function readRole(sql: SQL): Promise<Visibility | null> {
  const rows: { role: Visibility }[] = await sql.unsafe('select role from installation');
  return rows[0]?.role ?? null;
}

/**
 * Derives the role: only a public log has counts and nodes; without those, the rights that a migration granted decide.
 */
async function roleByRights(sql: SQL): Promise<Visibility | null> {
  const [found]: { figures: boolean }[] = await sql.unsafe(
    'select exists (select from nodes) or exists (select from counts) as figures',
  );
  if (found?.figures === true) return 'public';
  const rights: Visibility[] = [];
  for (const visibility of VISIBILITIES) {
    const [row]: { may: boolean }[] = await sql.unsafe(
      "select has_table_privilege(oid, 'checks', 'insert') as may from pg_roles where rolname = $1",
      [DATABASE_ROLES[visibility].node],
    );
    if (row?.may === true) rights.push(visibility);
  }
  return rights.length === 1 ? (rights[0] ?? null) : null;
}

async function wrongRole(sql: SQL, role: Visibility, wanted: Visibility): Promise<StoreError> {
  const [row]: { database: string }[] = await sql.unsafe('select current_database() as database');
  const remedy = role === 'private' ? 'pass --private, or name the database of the public log' : 'leave out --private';
  return new StoreError(
    'wrong_database',
    `The database "${row?.database}" holds the ${role} log, not the ${wanted} log: ${remedy}. Nothing was changed.`,
  );
}
