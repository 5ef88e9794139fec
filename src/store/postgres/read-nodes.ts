import { asc } from 'drizzle-orm';
import type { DatabaseConnection } from './session.ts';
import { pgNodes } from './tables.ts';

/** A node, as it last said of itself. */
export interface KnownNode {
  readonly name: string;
  readonly version: string;
  /** Empty until its models were loaded. */
  readonly model_version: string;
  readonly started_at: string;
  readonly seen_at: string;
  /** By how much its clock was ahead of the database's. */
  readonly ahead_seconds: number;
}

/** Every node that ever wrote to a public log, by name. */
export async function readNodes({ db }: DatabaseConnection<unknown>): Promise<KnownNode[]> {
  const rows = await db.select().from(pgNodes).orderBy(asc(pgNodes.name));
  return rows.map(({ name, version, modelVersion, startedAt, seenAt, aheadMs }) => ({
    name,
    version,
    model_version: modelVersion,
    started_at: startedAt.toISOString(),
    seen_at: seenAt.toISOString(),
    ahead_seconds: aheadMs / 1000,
  }));
}
