import { inTellingOrder } from '#src/record/reasons/telling-order.ts';
import { withoutPassword } from '#src/record/without-password.ts';
import { defang } from '#src/url/defang.ts';
import { csvText } from '../elements/csv.ts';
import { maskedUrl } from '../elements/masked-url.ts';
import type { QueuedCheck } from './check-queue.ts';

/** Columns of the table, by the names that the API has for them. */
const COLUMNS = ['url', 'defanged', 'decision', 'malicious_probability', 'timestamp', 'request_id', 'reasons'];

/** Reasons of a check that stand in the table. */
const REASONS = 3;

/** Checks as a table for a spreadsheet; those without a result have their link alone. */
export function batchCsv(checks: readonly QueuedCheck[]): string {
  return csvText([COLUMNS, ...checks.map(row)]);
}

/** The links, one a line, so written that no program makes a link of them. */
export function defangedLinks(checks: readonly QueuedCheck[]): string {
  return checks.map((check) => defang(shownUrlOf(check))).join('\n');
}

function row(check: QueuedCheck): (string | number)[] {
  const url = shownUrlOf(check);
  const { result } = check;
  if (!result) return [url, defang(url), '', '', '', '', ''];
  const reasons = inTellingOrder(result.analysis_details.reasons).slice(0, REASONS);
  return [
    url,
    defang(url),
    result.decision,
    result.malicious_probability,
    result.timestamp,
    result.request_id,
    reasons.map(({ message }) => message).join(' '),
  ];
}

/** Without a password that was typed, as far as it can be told. */
function shownUrlOf({ url, result }: QueuedCheck): string {
  return result ? withoutPassword(result).url : maskedUrl(url);
}
