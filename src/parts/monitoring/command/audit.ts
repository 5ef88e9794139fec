import { auditFileIn, readAuditIn } from '#src/admin/audit/audit-log.ts';
import type { AuditEntry } from '#src/admin/audit/read-audit.ts';
import { describeActor } from '#src/core/base/actor.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { type Command, choice, UsageError } from '#src/interfaces/cli/command.ts';

/** How entries are written. */
const AUDIT_FORMATS = ['text', 'ndjson'] as const;

/** `lurecheck audit` */
export const auditCommand: Command<'audit'> = {
  name: 'audit',
  operands: 'show | verify',
  summary: 'show and verify the audit log',
  options: {
    format: { type: 'string', words: AUDIT_FORMATS, description: 'Output format. Default: text.' },
  },
  examples: [
    {
      line: 'lurecheck audit show',
      purpose: 'Show every change of keys, lists, models, packs, brands and logs, oldest first.',
    },
    {
      line: 'lurecheck audit verify',
      purpose: 'Exit with 1 if a line was changed, removed or added, or the end is missing.',
    },
  ],
  async run(invocation, io) {
    const [action, extra] = invocation.positionals;
    if (extra !== undefined) throw new UsageError(`audit ${action} takes no operand: unexpected "${extra}"`);
    if (action !== 'show' && action !== 'verify')
      throw new UsageError(`audit takes show or verify${action === undefined ? '' : `, not "${action}"`}`);
    const format = choice(invocation, 'format', AUDIT_FORMATS) ?? 'text';
    const { data_dir: dataDir } = invocation.config;
    const entries: AuditEntry[] = [];
    const found = readAuditIn(dataDir, (entry) => entries.push(entry));
    if (action === 'show') {
      const write = format === 'text' ? asText : (entry: AuditEntry) => `${visibleJson(JSON.stringify(entry))}\n`;
      await io.stdout.write(entries.map(write).join('') || (format === 'text' ? 'no changes are recorded\n' : ''));
    }
    if (found.problem !== null) {
      await io.stderr.write(`lurecheck: the audit log ${auditFileIn(dataDir)} ${found.problem}\n`);
      return 1;
    }
    if (action === 'verify') await io.stdout.write(`${found.lines} lines, intact; last hash: ${found.last}\n`);
    return 0;
  },
};

function asText({ at, by, action, subject, detail }: AuditEntry): string {
  const more = Object.entries(detail).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `${[at, describeActor(by), action, subject ?? '', ...more].map(visibleInTerminal).join('\t')}\n`;
}
