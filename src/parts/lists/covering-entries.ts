import { isAscii } from '#src/core/base/text/untrusted-text.ts';
import { unwrap } from '#src/core/unwrap/unwrap.ts';
import { displayName } from '#src/core/url/confusable.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { NEVER } from '#src/network/lists/stored/entry-facts.ts';
import { createEntryTable } from '#src/network/lists/stored/entry-table.ts';
import type { StoredVersion } from '#src/network/lists/stored/list-state.ts';
import { readVersion, type VersionRow } from '#src/network/lists/stored/version-file.ts';

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

/** An entry that covers a URL, and its list. */
export interface CoveringEntry {
  readonly version: StoredVersion;
  readonly row: VersionRow;
}

/** Returns all entries that cover a URL or a URL within it, including those that are not applied; scans the lists. */
export async function coveringEntries(
  dataDir: string,
  versions: readonly StoredVersion[],
  target: Target,
): Promise<CoveringEntry[]> {
  const found: CoveringEntry[] = [];
  const isCovering = coverTest(target);
  for (const version of versions) {
    for await (const rows of readVersion(dataDir, version.file)) {
      for (const row of rows) if (isCovering(row.entry)) found.push({ version, row });
    }
  }
  return found;
}

/** Returns a test for entries that cover a URL or a URL within it. */
export function coverTest(target: Target): (entry: string) => boolean {
  const targets = [target, ...unwrap(target)];
  return (entry) => targets.some((one) => covers(entry, one));
}

function covers(entry: string, target: Target): boolean {
  // A table of one entry is slow for a million entries, so a part of the host excludes most of them first.
  if (!mayCover(entry, target)) return false;
  const table = createEntryTable(1, entry.length);
  const bytes = Buffer.from(entry, 'latin1');
  table.add(bytes, 0, bytes.length, { line: 1, addedAt: 0, expiresAt: NEVER, isException: false });
  return table.find(target, 0) !== null;
}

function mayCover(entry: string, { host }: Target): boolean {
  if (entry.startsWith('http://')) return entry.includes(host.text);
  return entry.includes('/') ? host.kind !== 'name' : host.text.endsWith(entry);
}

/** Returns an entry with its host as a person writes it; null if that is as it is stored. */
export function writtenEntry(entry: string): string | null {
  const written = entry
    .split(/(?<=[/:])|(?=[/:])/)
    .map((part) => (part.includes('xn--') ? displayName(part) : part))
    .join('');
  return written === entry ? null : written;
}
