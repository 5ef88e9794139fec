import { writeStoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import type { BlockList, BlockListSubject, Omission } from './block-list.ts';

/** Writes one entry per line, as `lists import` reads it. */
export function* writePlainList(
  { blocked, allowed }: BlockList,
  { source }: BlockListSubject,
  omit: (reason: Omission) => void,
): Generator<string> {
  yield `# What lurecheck on ${source} blocks.\n`;
  for (const { entry } of blocked) yield `${writeStoredEntry(entry)}\n`;
  for (const _ of allowed) omit('within');
}
