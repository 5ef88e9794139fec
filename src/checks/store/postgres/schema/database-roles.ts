import type { SQL } from 'bun';
import type { Visibility } from '#src/core/base/visibility.ts';
import { StoreError } from '../../store-error.ts';

/** The roles that a database gives its rights to. The owner makes them once, with passwords of their own. */
export const DATABASE_ROLES: Readonly<Record<Visibility, { readonly node: string; readonly operator: string }>> = {
  public: { node: 'lurecheck_node', operator: 'lurecheck_operator' },
  private: { node: 'lurecheck_private_node', operator: 'lurecheck_operator' },
};

/** Throws StoreError where the server lacks a role, with the statement that creates it. */
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

/** Gives the roles their rights. Who serves may not read past private checks, even where the whole node is in other hands. */
export async function grantRights(sql: SQL, visibility: Visibility): Promise<void> {
  const { node, operator } = DATABASE_ROLES[visibility];
  const kept = 'checks, check_domains, in_force, undelivered';
  const figures = 'counts, blocked, nodes';
  const statements = [
    'revoke all on all tables in schema public from public',
    'revoke all on function keep_checks, make_partitions, maintain_checks, fold_blocked, forget_nodes, join_installation from public',
    // It takes the days to keep from who calls it.
    `revoke all on function keep_checks from ${node}`,
    `grant usage on schema public to ${node}, ${operator}`,
    `grant select on schema_steps, installation, timelines, retention to ${node}`,
    `grant insert on timelines to ${node}`,
    `grant usage on sequence checks_logged to ${node}`,
    `grant execute on function maintain_checks, join_installation to ${node}`,
    `grant insert on ${kept} to ${node}`,
    `grant select on all tables in schema public to ${operator}`,
    `grant select on sequence checks_logged to ${operator}`,
    ...(visibility === 'public'
      ? [
          `grant select on ${kept}, checks_logged to ${node}`,
          `grant select, insert, update on ${figures} to ${node}`,
          `grant select on blocked_sums to ${node}`,
          `grant execute on function fold_blocked, forget_nodes to ${node}`,
          `grant delete on nodes to ${operator}`,
          // A command works from any node, and from the operator's machine.
          `grant select, insert, update on shared_documents to ${node}, ${operator}`,
        ]
      : []),
  ];
  for (const statement of statements) await sql.unsafe(statement);
}

/** Takes all rights from the role of the nodes of the other log, which a migration under a wrong flag may have given. */
export async function revokeFromOther(sql: SQL, visibility: Visibility): Promise<void> {
  const other = DATABASE_ROLES[visibility === 'public' ? 'private' : 'public'].node;
  const found: object[] = await sql.unsafe('select from pg_roles where rolname = $1', [other]);
  if (found.length === 0) return;
  for (const what of ['tables', 'sequences', 'functions'])
    await sql.unsafe(`revoke all on all ${what} in schema public from ${other}`);
}
