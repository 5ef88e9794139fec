import { readFileSync } from 'node:fs';
import { auditFileIn } from '#src/admin/audit/audit-log.ts';
import type { AuditEntry } from '#src/admin/audit/read-audit.ts';

/** Action, subject and details of each line of the audit log. */
export function auditLines(dataDir: string): Pick<AuditEntry, 'action' | 'subject' | 'detail'>[] {
  const lines = readFileSync(auditFileIn(dataDir), 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as AuditEntry)
    .map(({ action, subject, detail }) => ({ action, subject, detail }));
}
