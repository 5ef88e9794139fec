import { eq } from 'drizzle-orm';
import type { LogFile } from '../file/log-file.ts';
import { inForce } from '../file/schema.ts';

/** The id under which a log keeps what was in force for a check, given as JSON. */
export type InForceIds = (settings: string) => number;

/** Ids for the checks of one transaction: what it adds may be rolled back with it. */
export function inForceIds({ db }: Pick<LogFile, 'db'>): InForceIds {
  const ids = new Map<string, number>();
  return (settings) => {
    const id = ids.get(settings) ?? kept(settings) ?? keep(settings);
    ids.set(settings, id);
    return id;
  };

  function kept(settings: string): number | undefined {
    return db.select({ id: inForce.id }).from(inForce).where(eq(inForce.settings, settings)).get()?.id;
  }

  function keep(settings: string): number {
    return db.insert(inForce).values({ settings }).returning({ id: inForce.id }).get().id;
  }
}
