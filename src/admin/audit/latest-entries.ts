import { existsSync, readFileSync } from 'node:fs';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { auditFileIn } from './audit-log.ts';
import { type AuditEntry, isAuditEntry } from './read-audit.ts';

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
