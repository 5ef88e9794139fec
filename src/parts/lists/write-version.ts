import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { quoted } from '#src/network/lists/entry.ts';
import { isBadLine, isSkippedLine, type ListFileEntry } from '#src/network/lists/formats/list-format.ts';
import type { BadLine } from '#src/network/lists/parse.ts';
import { NEVER } from '#src/network/lists/stored/entry-facts.ts';
import { createEntryTable, type EntryTable } from '#src/network/lists/stored/entry-table.ts';
import type { ListGuard, Quarantine } from '#src/network/lists/stored/guard.ts';
import { indexFileOf } from '#src/network/lists/stored/index-file.ts';
import { listsFolder, readListState } from '#src/network/lists/stored/list-state.ts';
import { readStoredEntry, writeStoredEntry } from '#src/network/lists/stored/stored-entry.ts';
import type { VersionDraft, VersionRow } from '#src/network/lists/stored/version-file.ts';
import { type BadLines, type LeftOutEntry, MAX_REPORTED, type QuarantinedEntry } from './list-change.ts';
import type { ListStream } from './list-inputs.ts';

/** Age of a lock file from which it is stale, in milliseconds. Locks are held for milliseconds. */
const STALE_LOCK_MS = 60_000;

/** Maximum age of a draft, in milliseconds. */
const MAX_DRAFT_AGE_MS = 24 * 3_600_000;

/**
 * Runs `work` under a lock between processes. Ignores stale locks of killed processes.
 *
 * @throws OperationError if another process holds the lock
 */
export async function withListsLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const path = join(listsFolder(dataDir), '.changing');
  takeLock(path);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function takeLock(path: string): void {
  for (const isLast of [false, true]) {
    try {
      makeLock(path);
      return;
    } catch (cause) {
      if (!isSystemError(cause, 'EEXIST'))
        throw new OperationError('file_unwritable', [`the lists cannot be changed: ${cause}`], { cause });
      if (isLast || !isStale(path)) {
        throw new OperationError('busy', ['another command changes the lists; try again'], { cause });
      }
      rmSync(path, { force: true });
    }
  }
}

/** Creates the lock file with the id of this process, atomically: an empty lock could not be recognised as stale. */
function makeLock(path: string): void {
  const draft = join(dirname(path), `.${randomUUID()}.new`);
  writeFileSync(draft, String(process.pid), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
  } catch (error) {
    // A file system without hard links (vfat) takes two steps.
    if (!NO_HARD_LINKS.some((code) => isSystemError(error, code))) throw error;
    writeFileSync(path, String(process.pid), { mode: 0o600, flag: 'wx' });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Errors of link(2) on file systems without hard links. */
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function isStale(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || Date.now() - found.mtimeMs > STALE_LOCK_MS) return true;
  const pid = Number(readFileSync(path, 'utf8'));
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return isSystemError(error, 'ESRCH');
  }
}

/** Removes versions that no rollback reaches, those of `unwanted`, abandoned drafts, and index files of other than active lists. */
export async function removeUnused(dataDir: string, unwanted: ReadonlySet<string> = new Set()): Promise<void> {
  const { lists, before } = await readListState(dataDir);
  const used = new Set([...lists, ...before.flatMap((state) => state.lists)].map(({ file }) => file));
  const folder = listsFolder(dataDir);
  const indexes = new Set(lists.map(({ file }) => indexFileOf(dataDir, file)));
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.index') && !indexes.has(path)) rmSync(path, { force: true });
    const isOld = () =>
      Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > MAX_DRAFT_AGE_MS;
    const isOurs = name.endsWith('.list') || /^\.[\da-f-]+\.new$/.test(name);
    if (isOurs && !used.has(name) && (unwanted.has(name) || isOld())) rmSync(path, { force: true });
  }
}

/** Maximum number of entries of a list. */
export const MAX_ENTRIES = 5_000_000;

/** Counts of written entries. */
export interface VersionCounts {
  entries: number;
  text_bytes: number;
  quarantined: number;
  /** Entries that were not in the list before. */
  added: number;
  expired: number;
  repeated: number;
  /** The first quarantined entries that were not in the list before, and the number of all of these. */
  readonly quarantinedEntries: QuarantinedEntry[];
  newlyQuarantined: number;
  readonly leftOut: LeftOutEntry[];
  /** Entries that take what they cover off the list. */
  exceptions: number;
  /** Lines that no list can represent. */
  readonly skipped: { readonly first: BadLine[]; count: number };
  /** Lines that were not understood, and are left out. */
  readonly unread: { readonly first: BadLine[]; count: number };
}

/** Rules of writing a version. */
export interface WriteRules {
  readonly nowMs: number;
  readonly guard: ListGuard;
  /** Name of the input in messages and in the history; null for typed entries. */
  readonly source: string;
  /** True to skip invalid lines instead of refusing the file. */
  readonly skipsInvalid?: boolean;
  /** Expiry of entries without one, in milliseconds since the Unix epoch; null for never. */
  readonly expiresAtMs: number | null;
  /** Returns when an entry of the previous version was added, in seconds since the Unix epoch; null for a new one. */
  readonly addedBefore: (entry: string) => number | null;
}

/** Creates a writer into `draft`, which writes each entry once. */
export function createVersionWriter(draft: Pick<VersionDraft, 'add'>, rules: WriteRules) {
  const table = createEntryTable();
  const quarantined = new Set<string>();
  const counts: VersionCounts = {
    ...{ entries: 0, text_bytes: 0, quarantined: 0, added: 0, expired: 0, repeated: 0, exceptions: 0 },
    newlyQuarantined: 0,
    quarantinedEntries: [],
    leftOut: [],
    skipped: { first: [], count: 0 },
    unread: { first: [], count: 0 },
  };

  function leaveOut({ entry, line }: VersionRow, why: LeftOutEntry['why']): void {
    if (counts.leftOut.length < MAX_REPORTED) counts.leftOut.push({ entry, line, why });
  }

  function hold(row: VersionRow, why: Quarantine, isNew: boolean): void {
    if (quarantined.has(row.entry)) {
      counts.repeated++;
      leaveOut(row, 'duplicate');
      return;
    }
    quarantined.add(row.entry);
    counts.quarantined++;
    if (isNew && counts.newlyQuarantined++ < MAX_REPORTED) {
      counts.quarantinedEntries.push({ entry: row.entry, line: row.line, why });
    }
    draft.add(row);
  }

  /** Returns the line of a contradicting entry; null if there is none. */
  function apply(row: VersionRow): number | null {
    const bytes = Buffer.from(row.entry, 'latin1');
    const facts = { ...row, expiresAt: row.expiresAt ?? NEVER };
    if (!isNew(table, bytes, facts)) {
      counts.repeated++;
      leaveOut(row, 'duplicate');
      const known = table.factsOf(row.entry);
      return known && known.isException !== row.isException ? known.line : null;
    }
    if (table.size > MAX_ENTRIES) {
      const text = `has more than ${MAX_ENTRIES.toLocaleString('en')} entries`;
      throw new OperationError('list_content', [`${rules.source} ${text}`], { clientText: text });
    }
    counts.entries++;
    if (row.isException) counts.exceptions++;
    counts.text_bytes += bytes.length;
    draft.add(row);
    return null;
  }

  function take(row: VersionRow, isNew: boolean): number | null {
    if (row.quarantine === null) return apply(row);
    hold(row, row.quarantine, isNew);
    return null;
  }

  function readItem(item: ListFileEntry): BadLine | null {
    const row = rowOf(item, rules);
    if (typeof row === 'string') return { line: item.line, message: row };
    if (row.expiresAt !== null && row.expiresAt * 1000 <= rules.nowMs) {
      counts.expired++;
      leaveOut(row, 'expired');
      return null;
    }
    const before = counts.entries;
    const opposite = take(row, true);
    if (opposite !== null) {
      return { line: item.line, message: `${quoted(item.value)} contradicts line ${opposite}` };
    }
    if (counts.entries > before && rules.addedBefore(row.entry) === null) counts.added++;
    return null;
  }

  return {
    counts,
    /** Copies an entry unchanged. */
    take: (row: VersionRow) => void take(row, false),
    /** Reads entries. Throws an OperationError that lists invalid lines; only lenient formats are imported in part. */
    async read(items: ListStream) {
      const bad: VersionCounts['skipped'] = { first: [], count: 0 };
      const format = () => ('format' in items ? items.format() : null);
      const before = counts.entries + counts.quarantined;
      const note = (problem: BadLine, isSkipped: boolean) => {
        const isLeftOut = rules.skipsInvalid === true || format()?.isLenient === true;
        const lines = isSkipped ? counts.skipped : isLeftOut ? counts.unread : bad;
        if (lines.count++ < MAX_REPORTED) lines.first.push(problem);
      };
      for await (const some of items) {
        for (const item of some) {
          const problem = isBadLine(item) ? item : readItem(item);
          if (problem !== null) note(problem, isBadLine(item) && isSkippedLine(item));
        }
      }
      const { source } = rules;
      if (bad.count > 0) throw unusableContent(source, 'has invalid lines', `${linesText(bad)}${formatText(format())}`);
      // Of a file that is mostly of another format a few lines are no list.
      const read = counts.entries + counts.quarantined + counts.repeated + counts.expired - before;
      if (rules.skipsInvalid !== true && counts.unread.count > read && read > 0)
        throw unusableContent(
          source,
          'has more lines that were not understood than entries',
          `${linesText(counts.unread)}${formatText(format())}`,
        );
    },
  };
}

/** Returns the refusal of a list's content. The text for a client omits the name of the input. */
export function unusableContent(source: string, fault: string, rest = '', cause?: unknown): OperationError {
  const text = `${source} ${fault}; nothing was changed${rest}`;
  return new OperationError('list_content', [text], { cause, clientText: `${fault}${rest}` });
}

/** The format in which a file was read, as the last line of a message about it. */
export function formatText(format: { readonly name: string } | null): string {
  return format === null ? '' : `\nread as ${format.name}; name the format if that is wrong`;
}

function isNew(table: EntryTable, bytes: Uint8Array, facts: Parameters<EntryTable['add']>[3]): boolean {
  const before = table.size;
  table.add(bytes, 0, bytes.length, facts);
  return table.size > before;
}

/** Returns the row of an entry, or what is wrong with it. */
function rowOf(item: ListFileEntry, { nowMs, guard, expiresAtMs, addedBefore }: WriteRules): VersionRow | string {
  const read = readStoredEntry(item.value);
  if ('problem' in read) return `${quoted(item.value)} ${read.problem}`;
  const entry = writeStoredEntry(read);
  const expires = item.expiresAtMs ?? expiresAtMs;
  return {
    entry,
    line: item.line,
    addedAt: addedBefore(entry) ?? Math.floor(nowMs / 1000),
    expiresAt: expires === null ? null : Math.floor(expires / 1000),
    // An exception affects only its own list, so it is never held back.
    quarantine: item.isException ? null : guard(read),
    isException: item.isException,
    source: item.source,
    comment: item.comment,
  };
}

/** The first lines of some, as the end of a message. */
export function linesText({ first, count }: BadLines): string {
  if (count === 0) return '';
  const rest = count - first.length;
  return `:${first.map(({ line, message }) => `\nline ${line}: ${message}`).join('')}${rest > 0 ? `\nand ${rest} more` : ''}`;
}
