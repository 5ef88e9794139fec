import { eq, sql } from 'drizzle-orm';
import type { LogFile } from '../file/log-file.ts';
import { inForce } from '../file/schema.ts';

/** The id under which a log keeps what was in force for a check, given as JSON. */
export type InForceIds = (settings: string) => number;

/**
 * Prepares the statements once, for the life of the file. What it gives has ids for the checks of one transaction: what
 * that adds may be rolled back with it.
 */
export function prepareInForceIds({ db }: Pick<LogFile, 'db'>): () => InForceIds {
  const placeholder = sql.placeholder('settings');
  const known = db.select({ id: inForce.id }).from(inForce).where(eq(inForce.settings, placeholder)).prepare();
  const added = db.insert(inForce).values({ settings: placeholder }).returning({ id: inForce.id }).prepare();
  return () => {
    const ids = new Map<string, number>();
    return (settings) => {
      const id = ids.get(settings) ?? known.get({ settings })?.id ?? added.get({ settings }).id;
      ids.set(settings, id);
      return id;
    };
  };
}
