import { SQL } from 'bun';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import { DATABASE_STEPS, sha256 } from '#src/parts/postgres/schema/schema-steps.ts';
import { makeDatabases, type PostgresServer } from '#test/support/postgres.ts';

/** A database that a version with so many steps migrated. */
export async function olderDatabase(on: PostgresServer, steps: number): Promise<DatabaseUrl> {
  const databases = await makeDatabases(on);
  const name = `${databases.public}_older`;
  await using admin = on.connect();
  await admin.unsafe(`create database ${name} owner lurecheck_owner`);
  const url = { ...databases.url('public', 'owner'), database: name };
  await using sql = new SQL({
    adapter: 'postgres',
    path: `${on.path}/.s.PGSQL.5432`,
    username: url.user,
    database: name,
    max: 1,
  });
  await sql.unsafe(`create table schema_steps (step int4 primary key, name text not null, sha256 text not null,
    works_from int4 not null, applied_at_ms int8 not null)`);
  for (const [step, one] of DATABASE_STEPS.slice(0, steps).entries()) {
    for (const statement of one.sql.split('--> statement-breakpoint')) await sql.unsafe(statement).simple();
    await sql.unsafe('insert into schema_steps values ($1, $2, $3, $4, 0)', [
      step,
      one.name,
      sha256(one.sql),
      one.worksFrom,
    ]);
  }
  return url;
}
