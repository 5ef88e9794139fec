import { createHash } from 'node:crypto';
import type { Actor } from '#src/core/base/actor.ts';
import { isObject } from '#src/core/base/text/is-object.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';

/** One line of the audit log. */
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

/** How the audit log ends. */
export interface AuditHead {
  readonly lines: number;
  /** SHA-256 of the last line; zeros without one. */
  readonly last: string;
}

/** What was found of an audit log. */
export interface AuditRead extends AuditHead {
  /** What is wrong, as the end of a sentence about the log; null if nothing is. */
  readonly problem: string | null;
}

/** What the first line has instead of the hash of the preceding one. */
export const FIRST = '0'.repeat(64);

/** SHA-256 of a line without its end, in hexadecimal. */
export const hashOf = (line: string): string => createHash('sha256').update(line).digest('hex');

/**
 * Reads an audit log and checks that no line was changed, removed, added or moved. One line more than the head counts is what
 * a process leaves that is killed between the two; half a line at the end likewise.
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

/** Whether a value is an {@link AuditHead}. */
export function isAuditHead(value: unknown): value is AuditHead {
  return (
    isObject(value) &&
    Number.isSafeInteger(value['lines']) &&
    typeof value['last'] === 'string' &&
    Number(value['lines']) >= 0
  );
}

/** Whether a value is an {@link AuditEntry}. */
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
