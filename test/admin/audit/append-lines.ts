import { appendAudit } from '#src/admin/audit/audit-log.ts';

/** Appends so many lines to the audit log of a data directory. */
const [dataDir = '', lines = '0'] = process.argv.slice(2);
for (let line = 0; line < Number(lines); line++) {
  appendAudit(dataDir, { user: 'alice', uid: 1000 }, { action: 'key.create', subject: `${process.pid}.${line}` });
}
