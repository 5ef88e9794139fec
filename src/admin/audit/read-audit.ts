import { createHash } from 'node:crypto';
import type { Actor } from '#src/core/base/actor.ts';
import { isObject } from '#src/core/base/guard.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';

/** A line of the audit log. */
export interface AuditEntry {
  /** Number of the line, from 1. */
  readonly seq: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly by: Actor;
  readonly action: string;
  readonly subject: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
  /** SHA-256 of the line before; of the first one, zeros. */
  readonly prev: string;
}

/** End of the audit log. */
export interface AuditHead {
  readonly lines: number;
  /** SHA-256 of the last line; zeros without one. */
  readonly last: string;
}

/** Result of reading an audit log. */
export interface AuditRead extends AuditHead {
  /** Problem of the log, as the end of a sentence; null if there is none. */
  readonly problem: string | null;
}

/** `prev` of the first line. */
export const FIRST = '0'.repeat(64);

/** SHA-256 of a line without its end, in hexadecimal. */
export const hashOf = (line: string): string => createHash('sha256').update(line).digest('hex');

/**
 * Reads an audit log and verifies that no line was changed, removed, added or moved. A process killed while writing
 * leaves at most one line that the head does not count, or half a line at the end.
 */
export function readAudit(text: string, head: AuditHead, take: (entry: AuditEntry) => void): AuditRead {
  const all = text.split('\n');
  // What follows the last newline was never recorded.
  const lines = all.slice(0, -1);
  let last = FIRST;
  let lastCounted = head.lines === 0 ? FIRST : null;
  for (const [index, line] of lines.entries()) {
    const entry = parseJson(line);
    const number = index + 1;
    if (!isAuditEntry(entry)) return { lines: index, last, problem: `holds no entry in line ${number}` };
    if (entry.seq !== number || entry.prev !== last)
      return { lines: index, last, problem: `was changed before or in line ${number}` };
    last = hashOf(line);
    if (number === head.lines) lastCounted = last;
    take(entry);
  }
  const found = { lines: lines.length, last };
  if (lines.length < head.lines)
    return { ...found, problem: `is cut short: it has ${lines.length} of ${head.lines} lines` };
  if (lastCounted !== head.last) return { ...found, problem: `was changed in line ${head.lines}` };
  if (lines.length > head.lines + 1)
    return { ...found, problem: `has ${lines.length} lines, of which ${head.lines} were recorded` };
  return { ...found, problem: null };
}

/** Returns true for an {@link AuditHead}. */
export function isAuditHead(value: unknown): value is AuditHead {
  return (
    isObject(value) &&
    Number.isSafeInteger(value['lines']) &&
    typeof value['last'] === 'string' &&
    Number(value['lines']) >= 0
  );
}

/** Returns true for an {@link AuditEntry}. */
export function isAuditEntry(value: unknown): value is AuditEntry {
  return (
    isObject(value) &&
    typeof value['seq'] === 'number' &&
    typeof value['at'] === 'string' &&
    typeof value['action'] === 'string' &&
    typeof value['prev'] === 'string' &&
    isObject(value['by']) &&
    isObject(value['detail'])
  );
}
