import type { SQL } from 'bun';
import { StoreError } from '#src/checks/store/store-error.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';
import { DATABASE_ROLES } from '../schema/database-roles.ts';

/**
 * Records which log a database holds, as the last part of a migration. A database that was migrated before this was
 * recorded holds the log whose nodes have rights in it.
 *
 * @param id id of the installation, if the operator names one
 * @throws StoreError if the database holds the other log
 */
export async function nameInstallation(sql: SQL, visibility: Visibility, id: string | null): Promise<void> {
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
