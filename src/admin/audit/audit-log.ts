import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { asStoreError } from '#src/checks/store/file/fault.ts';
import { lockFile } from '#src/checks/store/file/file-lock.ts';
import { makePrivateFile } from '#src/checks/store/file/private-file.ts';
import type { Actor } from '#src/core/base/actor.ts';
import { stampOf } from '#src/core/base/files/followed-file.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { type AuditEntry, type AuditHead, FIRST, hashOf, isAuditHead, readAudit } from './read-audit.ts';

/** A change, as it is recorded. */
export interface AuditedChange {
  /** What was done: `key.create`, `lists.import`. */
  readonly action: string;
  /** What it was done to; null if that is not one thing. */
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
 * Records a change and then makes it: no change is made that is not on record. If the change fails, that is recorded, too.
 *
 * @throws SettingsError if the audit log is damaged; StoreError if it cannot be written; whatever `change` throws
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

/** Appends one line. Throws a SettingsError if the log is damaged, a StoreError if it cannot be written. */
export function appendAudit(dataDir: string, by: Actor, { action, subject, detail = {} }: AuditedChange): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    using _ = lockFile(join(dataDir, 'audit.lock'), PATIENCE_MS);
    const head = unchanged(dataDir) ?? repaired(dataDir);
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
    append(auditFileIn(dataDir), `${line}\n`);
    const next = { lines: entry.seq, last: hashOf(line) };
    writeHead(dataDir, next);
    written.set(dataDir, { stamp: stampsOf(dataDir), head: next });
  } catch (cause) {
    throw cause instanceof SettingsError ? cause : asStoreError(auditFileIn(dataDir), cause);
  }
}

/** What this process wrote last, so that it need not verify the whole log before each line of its own. */
const written = new Map<string, { readonly stamp: string; readonly head: AuditHead }>();

const stampsOf = (dataDir: string): string => [auditFileIn(dataDir), auditHeadIn(dataDir)].map(stampOf).join(' ');

/** The end of the log if nothing changed since this process wrote it; null if it must be verified. */
function unchanged(dataDir: string): AuditHead | null {
  const last = written.get(dataDir);
  return last?.stamp === stampsOf(dataDir) ? last.head : null;
}

/**
 * The end of the log. A process that was killed may have left half a line, which goes, or one line that the head does not
 * count yet, which stays. Anything else is damage, and nothing is appended to it.
 */
function repaired(dataDir: string): AuditHead {
  const path = auditFileIn(dataDir);
  const headPath = auditHeadIn(dataDir);
  if (!existsSync(path) && !existsSync(headPath)) {
    makePrivateFile(path);
    return { lines: 0, last: FIRST };
  }
  const head = existsSync(headPath) ? parseJson(readFileSync(headPath, 'utf8')) : { lines: 0, last: FIRST };
  if (!existsSync(path) || !isAuditHead(head)) throw damaged(dataDir);
  const bytes = readFileSync(path);
  const whole = bytes.lastIndexOf(0x0a) + 1;
  if (whole < bytes.length) {
    const file = openSync(path, 'r+');
    ftruncateSync(file, whole);
    closeSync(file);
  }
  const { lines, last, problem } = readAudit(bytes.subarray(0, whole).toString(), head, () => {});
  if (problem !== null) throw damaged(dataDir);
  return { lines, last };
}

const damaged = (dataDir: string) =>
  new SettingsError([
    `the audit log ${auditFileIn(dataDir)} is damaged, so nothing was changed; see lurecheck audit verify, keep it as evidence, and move audit.log and audit.head away to begin another`,
  ]);

function append(path: string, line: string): void {
  const file = openSync(path, 'a', 0o600);
  try {
    writeSync(file, line);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function writeHead(dataDir: string, head: AuditHead): void {
  const path = auditHeadIn(dataDir);
  const file = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify(head)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}
