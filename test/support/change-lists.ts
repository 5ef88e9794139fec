import { type ListChanger, preparedLists, writeLists } from '#src/parts/lists/change-lists.ts';
import type { ListChange, ListChanged } from '#src/parts/lists/list-change.ts';

/** Changes the lists of a data directory under the rules of a test. */
export async function changeLists(
  changer: ListChanger,
  changes: readonly ListChange[],
): Promise<readonly ListChanged[]> {
  const prepared = preparedLists(changer.dataDir, await writeLists(changer, changes));
  await prepared.commit();
  return prepared.changed;
}
