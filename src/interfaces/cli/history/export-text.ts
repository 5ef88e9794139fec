import type { ExportMade } from '#src/checks/store/exports/export-record.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';

/** The exports of private checks as the record of them has them, a line each. */
export function exportsAsText(exports: readonly ExportMade[]): string {
  const lines = exports.map(({ begunAtMs, user, format, checks }) => {
    const outcome = checks === null ? 'incomplete' : counted(checks, 'check');
    return `${isoTime(begunAtMs)}  ${format}  ${outcome}  by ${visibleInTerminal(user)}\n`;
  });
  return lines.join('') || 'no exports of private checks\n';
}

/** One export as JSON; of what was asked for there is the hash alone. */
export function exportAsJson(made: ExportMade): Readonly<Record<string, unknown>> {
  const { begunAtMs, user, format, selectionHash, checks, doneAtMs } = made;
  return {
    user,
    format,
    hash: selectionHash.toString('hex'),
    checks,
    begun_at: isoTime(begunAtMs),
    done_at: doneAtMs === null ? null : isoTime(doneAtMs),
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
