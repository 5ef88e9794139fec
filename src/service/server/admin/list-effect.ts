import type { ListChanged } from '#src/admin/lists/list-change.ts';
import { whyHeldBack } from '#src/network/lists/stored/quarantine-text.ts';

/** Describes what a change does to the content of lists, besides its entries that are applied. */
export function listEffect(changed: readonly ListChanged[]) {
  const sum = (count: (one: ListChanged) => number) => changed.reduce((total, one) => total + count(one), 0);
  const heldBack = changed.flatMap(({ quarantinedEntries }) => quarantinedEntries);
  const leftOut = changed.flatMap((one) => one.leftOut);
  const removed = sum((one) => one.removed);
  const isContent = changed.some(({ what }) => what === 'import' || what === 'add');
  return {
    invalid_lines: changed
      .flatMap(({ unread, skipped }) => [...unread.first, ...skipped.first])
      .map(({ line, message }) => ({ line, text: '', reason: message })),
    ...(heldBack.length > 0 && {
      held_back: heldBack.map(({ entry, line, why }) => ({ entry, line, code: why, reason: whyHeldBack(why) })),
    }),
    ...(leftOut.length > 0 && { left_out: leftOut.map(({ entry, line, why: code }) => ({ entry, line, code })) }),
    ...(isContent && {
      omitted: {
        held_back: sum(({ newlyQuarantined }) => newlyQuarantined),
        invalid: sum(({ unread, skipped }) => unread.count + skipped.count),
        expired: sum(({ expired }) => expired),
        duplicates: sum(({ repeated }) => repeated),
      },
    }),
    ...(removed > 0 && { removed: { count: removed, first: changed.flatMap((one) => one.removedEntries) } }),
  };
}
