import type { SQL } from 'bun';
import type { Visibility } from '#src/base/visibility.ts';
import { createAppend } from './append.ts';
import type { DatabaseUrl } from './database-url.ts';
import type { ReadyToAppend } from './database-way.ts';
import { StandbyError } from './fault.ts';
import { type NodeSign, signIn } from './nodes.ts';
import { checkSchema, readSchema } from './schema-steps.ts';
import { createSession, type ResolveHost, type Session } from './session.ts';

/** Who appends to which log. */
export interface AppendSessionOptions {
  readonly urls: readonly DatabaseUrl[];
  readonly visibility: Visibility;
  readonly timeoutMs: number;
  readonly sign: NodeSign;
  readonly resolve?: ResolveHost | undefined;
}

/** A session over which checks are appended, to a server that takes them and has tables that fit. */
export function createAppendSession(options: AppendSessionOptions): Session<ReadyToAppend> {
  const { urls, visibility, timeoutMs, sign, resolve } = options;
  const makeReady = async (sql: SQL): Promise<ReadyToAppend> => {
    await requirePrimary(sql);
    await requireSchema(sql);
    const node = visibility === 'public' ? (await signIn(sql, sign)).id : null;
    return { append: createAppend(sql, node) };
  };
  return createSession({ urls, timeoutMs, max: 1, resolve, makeReady });
}

/** Throws StoreError where the tables of a database do not fit. */
export async function requireSchema(sql: SQL): Promise<void> {
  checkSchema(await readSchema(sql));
}

/** Throws StandbyError where a server answers, but takes nothing. */
export async function requirePrimary(sql: SQL): Promise<void> {
  const [row]: { standby: boolean }[] = await sql.unsafe('select pg_is_in_recovery() as standby');
  if (row?.standby === true) throw new StandbyError('the database is a standby');
}
