import type { SQL } from 'bun';
import { StoreError } from '#src/checks/store/store-error.ts';
import type { Visibility } from '#src/core/base/visibility.ts';

/** Roles with rights in a database. The owner creates them once, with their passwords. */
export const DATABASE_ROLES: Readonly<Record<Visibility, { readonly node: string; readonly operator: string }>> = {
  public: { node: 'lurecheck_node', operator: 'lurecheck_operator' },
  private: { node: 'lurecheck_private_node', operator: 'lurecheck_operator' },
};

/** Throws StoreError with the statement that creates them if the server lacks roles. */
export async function requireRoles(sql: SQL, visibility: Visibility): Promise<void> {
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
export async function grantRights(sql: SQL, visibility: Visibility): Promise<void> {
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
export async function revokeFromOther(sql: SQL, visibility: Visibility): Promise<void> {
  const other = DATABASE_ROLES[visibility === 'public' ? 'private' : 'public'].node;
  const found: object[] = await sql.unsafe('select from pg_roles where rolname = $1', [other]);
  if (found.length === 0) return;
  for (const what of ['tables', 'sequences', 'functions'])
    await sql.unsafe(`revoke all on all ${what} in schema public from ${other}`);
}
