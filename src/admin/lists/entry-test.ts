import { isAscii } from '#src/core/base/text/untrusted-text.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import type { VersionRow } from '#src/network/lists/stored/version-row.ts';
import { coverTest } from './covering-entries.ts';
import { writtenEntry } from './written-entry.ts';

const SCHEME = /^[a-z]+:\/\//i;

/**
 * Returns the test for entries that a text finds: it is in the entry or its comment, regardless of case, or it is a host or
 * URL that the entry covers. Names in other scripts are found as they are written.
 */
export function entryTest(text: string): (row: Pick<VersionRow, 'entry' | 'comment'>) => boolean {
  const written = text.trim().replace(SCHEME, '');
  const key = written.toLowerCase();
  const isCovering = coverTestOf(written);
  const isPlain = isAscii(key);
  return ({ entry, comment }) => {
    // Hosts are stored in lower case.
    if ((entry.includes('/') ? entry.toLowerCase() : entry).includes(key)) return true;
    if (!isPlain && writtenEntry(entry)?.includes(key)) return true;
    return comment?.toLowerCase().includes(key) || isCovering(entry);
  };
}

function coverTestOf(written: string): (entry: string) => boolean {
  // What is being typed is no host before its first dot, and no entry covers less.
  const target = written.includes('.') ? parseTarget(`http://${written}`) : null;
  return target === null || isTargetProblem(target) ? () => false : coverTest(target);
}
