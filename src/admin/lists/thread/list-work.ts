import { writeLists } from '../change-lists.ts';
import { coveringEntries } from '../covering-entries.ts';
import { findEntries } from '../find-entries.ts';
import type { ListChange } from '../list-change.ts';
import { openListGuard } from '../open-list-guard.ts';
import { popularSiteHits } from '../popular-site-hits.ts';

const LIST_WORK = {
  write: async (dataDir: string, by: string, changes: readonly ListChange[], nowMs: number) =>
    await writeLists({ dataDir, by, guard: await openListGuard(dataDir), nowMs }, changes),
  popularSiteHits,
  coveringEntries,
  findEntries,
};

/** Work that reads lists as a whole. Arguments and results can be sent between threads. */
export type ListWork = typeof LIST_WORK;

/** A piece of such work. */
export interface ListWorkTask {
  readonly name: keyof ListWork;
  readonly args: readonly unknown[];
}

/** Does a piece of work. Throws as the work does. */
export async function doListWork({ name, args }: ListWorkTask): Promise<unknown> {
  // Who makes a task has typed arguments.
  const work: (...given: never[]) => Promise<unknown> = LIST_WORK[name];
  return await work(...(args as never[]));
}
