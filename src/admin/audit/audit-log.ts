import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '#src/checks/store/file/directory-lock.ts';
import { asStoreError } from '#src/checks/store/file/fault.ts';
import { makePrivateFile } from '#src/checks/store/file/secret-key.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import {
  type AuditEntry,
  type AuditHead,
  type AuditRead,
  FIRST,
  hashOf,
  isAuditEntry,
  isAuditHead,
  readAudit,
} from './read-audit.ts';

/** First size of the end that is read, in bytes; longer lines are read with more of it. */
const TAIL_BYTES = 64 * 1024;

/** End of the audit log as it is in its file. */
interface FileEnd {
  /** Last line without its end; null if there is none. */
  readonly line: string | null;
  /** Bytes up to the last newline, and of the whole file. */
  readonly whole: number;
  readonly size: number;
}

/** Reads the end of a file that this user can write. */
function fileEndOf(path: string): FileEnd {
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    for (let wanted = TAIL_BYTES; ; wanted *= 2) {
      const tail = Buffer.alloc(Math.min(wanted, size));
      readSync(file, tail, 0, tail.length, size - tail.length);
      const end = tail.lastIndexOf(0x0a);
      const start = end < 0 ? -1 : tail.subarray(0, end).lastIndexOf(0x0a);
      if (start < 0 && tail.length < size) continue;
      const whole = size - tail.length + end + 1;
      return { line: end < 0 ? null : tail.toString('utf8', start + 1, end), whole, size };
    }
  } finally {
    closeSync(file);
  }
}

/** A change, as it is recorded. */
export interface AuditedChange {
  /** Code of the change: `key.create`, `lists.import`. */
  readonly action: string;
  /** The changed object; null if there is not exactly one. */
  readonly subject: string | null;
  /** More, by name. No secret and no URL of a private check. */
  readonly detail?: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
}

/** The audit log of a data directory: one JSON line per change. */
export const auditFileIn = (dataDir: string): string => join(dataDir, 'audit.log');

/** The number of lines and the hash of the last one, so that a cut tail is seen. */
export const auditHeadIn = (dataDir: string): string => join(dataDir, 'audit.head');

/** Waits so long for another process that writes, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Records a change and then makes it, so that no unrecorded change exists. A failed change is recorded as well.
 *
 * @throws OperationError if the audit log is damaged; StoreError if it cannot be written; any error of `change`
 */
export function audited<T>(dataDir: string, actor: Actor, what: AuditedChange, change: () => T): T {
  appendAudit(dataDir, actor, what);
  const failed = (error: unknown): never => {
    try {
      appendAudit(dataDir, actor, { ...what, action: `${what.action}.failed` });
    } catch {
      // The attempt is on record; why the change failed matters more than that its failure could not be recorded.
    }
    throw error;
  };
  try {
    const made = change();
    return made instanceof Promise ? (made.catch(failed) as T) : made;
  } catch (error) {
    return failed(error);
  }
}

/** Appends one line. Throws an OperationError if the log is damaged or cannot be written. */
export function appendAudit(dataDir: string, by: Actor, { action, subject, detail = {} }: AuditedChange): void {
  withLockedLog(dataDir, () => {
    const head = endOf(dataDir);
    const entry: AuditEntry = {
      seq: head.lines + 1,
      at: new Date().toISOString(),
      by,
      action,
      subject,
      detail,
      prev: head.last,
    };
    const line = JSON.stringify(entry);
    // First, since a disk may have room for the line alone: two lines that no head counts are damage.
    draftHead(dataDir, { lines: entry.seq, last: hashOf(line) });
    write(auditFileIn(dataDir), 'a', `${line}\n`);
    commitHead(dataDir);
  });
}

/**
 * Examines and repairs the end of an existing log, as the next append would. Throws an OperationError if nothing can be
 * appended.
 */
export function examineAuditEnd(dataDir: string): void {
  if (hasNoLog(dataDir)) return;
  withLockedLog(dataDir, () => void endOf(dataDir));
}

/** Throws an OperationError if the log is damaged or cannot be written. */
function withLockedLog(dataDir: string, work: () => void): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    using _ = lockFile(join(dataDir, 'audit.lock'), PATIENCE_MS);
    work();
  } catch (cause) {
    throw cause instanceof OperationError ? cause : unwritable(asStoreError(auditFileIn(dataDir), cause));
  }
}

/**
 * The end of the log, by its last line and the head alone, so that an entry costs the same however long the log is; `audit
 * verify` reads the rest. A process that was killed may have left half a line, which goes, or one line that the head does
 * not count yet, which stays and is counted now. Anything else is damage, which stays as it is.
 */
function endOf(dataDir: string): AuditHead {
  const path = auditFileIn(dataDir);
  if (hasNoLog(dataDir)) {
    makePrivateFile(path);
    return NONE;
  }
  const head = readHead(dataDir);
  if (!existsSync(path) || head === null) throw damaged(dataDir);
  const { line, whole, size } = fileEndOf(path);
  const end = endAfter(line, head);
  if (end === null) throw damaged(dataDir);
  if (whole < size) truncateSync(path, whole);
  if (end !== head) {
    draftHead(dataDir, end);
    commitHead(dataDir);
  }
  return end;
}

/** Returns the head of a log, which an empty one lacks; null if it is damaged. */
function readHead(dataDir: string): AuditHead | null {
  const path = auditHeadIn(dataDir);
  const head = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : NONE;
  return isAuditHead(head) ? head : null;
}

const hasNoLog = (dataDir: string): boolean => !existsSync(auditFileIn(dataDir)) && !existsSync(auditHeadIn(dataDir));

const NONE: AuditHead = { lines: 0, last: FIRST };

/**
 * Returns the end of a log by its last line (null without one), if that line is the last that the head counts, or the
 * next one.
 */
function endAfter(line: string | null, head: AuditHead): AuditHead | null {
  if (line === null) return head.lines === 0 && head.last === FIRST ? head : null;
  const last = hashOf(line);
  const entry = parseJson(line);
  if (!isAuditEntry(entry)) return null;
  if (entry.seq === head.lines && last === head.last) return head;
  return entry.seq === head.lines + 1 && entry.prev === head.last ? { lines: entry.seq, last } : null;
}

const damaged = (dataDir: string) =>
  new OperationError(
    'audit_damaged',
    [
      `the audit log ${auditFileIn(dataDir)} is damaged, so changes are refused; see lurecheck audit verify, keep it as evidence, and move audit.log and audit.head away to begin another`,
    ],
    { clientText: 'the audit log is damaged, so nothing was changed; see lurecheck audit verify' },
  );

const unwritable = (cause: unknown) =>
  new OperationError('audit_unwritable', [cause instanceof Error ? cause.message : String(cause)], {
    cause,
    clientText: 'the audit log cannot be written, so nothing was changed; see the log of the service',
  });

const draftOf = (dataDir: string): string => `${auditHeadIn(dataDir)}.new`;

const draftHead = (dataDir: string, head: AuditHead): void => write(draftOf(dataDir), 'w', `${JSON.stringify(head)}\n`);

const commitHead = (dataDir: string): void => renameSync(draftOf(dataDir), auditHeadIn(dataDir));

function write(path: string, how: 'a' | 'w', text: string): void {
  const file = openSync(path, how, 0o600);
  try {
    // All of it or an error, unlike writeSync, which may write a part.
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Reads and verifies the whole audit log of a data directory. Throws an OperationError if this user cannot read it. */
export function readAuditIn(dataDir: string, take: (entry: AuditEntry) => void): AuditRead {
  const path = auditFileIn(dataDir);
  try {
    if (!existsSync(path)) return { ...NONE, problem: hasNoLog(dataDir) ? null : 'is missing' };
    const head = readHead(dataDir);
    if (head === null) return { ...NONE, problem: 'cannot be verified: audit.head is missing or unreadable' };
    return readAudit(readFileSync(path, 'utf8'), head, take);
  } catch (cause) {
    throw unwritable(asStoreError(path, cause));
  }
}

/**
 * Returns the latest entries of the audit log, latest first. It does not verify them, see `readAudit`.
 *
 * @param before returns only entries with a lower number
 */
export function latestEntries(dataDir: string, limit: number, before = Number.POSITIVE_INFINITY): AuditEntry[] {
  const path = auditFileIn(dataDir);
  if (!existsSync(path)) return [];
  const entries: AuditEntry[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n').toReversed()) {
    if (entries.length === limit) break;
    const entry = parseJson(line);
    if (isAuditEntry(entry) && entry.seq < before) entries.push(entry);
  }
  return entries;
}
