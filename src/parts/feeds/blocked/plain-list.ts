import { writeStoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import type { BlockWriting } from './block-list.ts';

/** Writes one entry per line, as `lists import` reads it. */
export function* writePlainList({ blocked, allowed, source, omit }: BlockWriting): Generator<string> {
  yield `# What lurecheck on ${source} blocks.\n`;
  for (const { entry } of blocked) yield `${writeStoredEntry(entry)}\n`;
  for (const _ of allowed) omit('within');
}
