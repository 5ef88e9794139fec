import { SQL } from 'bun';
import type { DatabaseUrl } from '#src/checks/store/database-url.ts';
import { onDatabase } from '#src/parts/postgres/examine-server.ts';

/** Returns the rows of a statement, or the SQLSTATE with which it is refused. */
export async function ask(url: DatabaseUrl, statement: string): Promise<unknown> {
  try {
    return await onDatabase(url, async ({ sql }) => Array.from(await sql.unsafe(statement)));
  } catch (error) {
    return error instanceof Error && error.cause instanceof SQL.PostgresError ? error.cause.errno : error;
  }
}
