import { withoutPassword } from '#src/checks/record/without-password.ts';
import { defang } from '#src/core/url/defang.ts';
import { csvText } from '../../elements/csv.ts';
import { filled } from '../../elements/filled.ts';
import { maskedUrl } from '../../elements/masked-url.ts';
import type { Speaker } from '../../languages/speak.ts';
import { leadingReasons } from '../../result/reasons/leading-reasons.ts';
import { cautionOf, shownCoverage, stateOf } from '../../result/verdict-state.ts';
import type { QueuedCheck } from '../check-queue.ts';
import { type IntakeProblem, isUnseen } from '../intake/intake-problem.ts';
import { lookOfTarget, nonWebSentence } from '../intake/non-web-words.ts';

/**
 * Columns of the table, by the names that the API has for them. `state` is `checked`, `not_checked`, `not_web` for a target
 * that is no web address, or `not_read` for a part of the message.
 */
const COLUMNS = [
  'url',
  'defanged',
  'decision',
  'malicious_probability',
  'timestamp',
  'request_id',
  'reasons',
  'state',
  'coverage',
  'caution',
  'mismatch',
] as const;

type Row = Partial<Readonly<Record<(typeof COLUMNS)[number], string | number>>>;

/** Formats checks, and the unread parts of the message, as CSV. A link without a result has a row of its own. */
export function batchCsv(checks: readonly QueuedCheck[], unread: readonly IntakeProblem[], say: Speaker): string {
  const rows = [
    ...checks.map((check) => rowOf(check, say)),
    ...unread.filter(isUnseen).map((problem): Row => ({ state: 'not_read', reasons: problemText(problem, say) })),
  ];
  return csvText([COLUMNS, ...rows.map((row) => COLUMNS.map((column) => row[column] ?? ''))]);
}

/** The links, one a line, so written that no program makes a link of them, and how many of them are not checked. */
export function defangedLinks(checks: readonly QueuedCheck[], say: Speaker): string {
  const unchecked = checks.filter(({ result, target }) => result === null && target === null).length;
  const note = say('phrase.labelled', { label: say('batch.unchecked'), value: unchecked });
  return [...(unchecked > 0 ? [note, ''] : []), ...checks.map((check) => defang(shownUrlOf(check)))].join('\n');
}

function rowOf(check: QueuedCheck, say: Speaker): Row {
  const url = shownUrlOf(check);
  const { result, target } = check;
  const { mismatch } = check.link;
  const link = { url, defanged: defang(url), mismatch: mismatch ? `${mismatch.says} → ${mismatch.goesTo}` : '' };
  if (target) {
    const decision = lookOfTarget(target) === 'warn' ? 'warn' : 'allow';
    const reasons = nonWebSentence(target, say).replace('{words}', () => target.words ?? '');
    return { ...link, decision, reasons, state: 'not_web', coverage: 'url_only', caution: 'true' };
  }
  if (!result) return { ...link, state: 'not_checked' };
  const reasons = leadingReasons(result.analysis_details, stateOf({ ...check.link, result }));
  return {
    ...link,
    decision: result.decision,
    malicious_probability: result.malicious_probability,
    timestamp: result.timestamp,
    request_id: result.request_id,
    reasons: [check.link.isReversed && say('link.reversed'), ...reasons.map(({ message }) => message)]
      .filter(Boolean)
      .join(' '),
    state: 'checked',
    coverage: shownCoverage(result.analysis_details),
    caution: String(cautionOf({ ...check.link, result })),
  };
}

function problemText({ key, name, text = '' }: IntakeProblem, say: Speaker): string {
  return filled(say(key), (gap) => (gap === 'name' ? name : text)).join('');
}

/** Returns the URL of a check without a typed password, if the password can be recognised. */
function shownUrlOf({ url, result }: QueuedCheck): string {
  return result ? withoutPassword(result).url : maskedUrl(url);
}
