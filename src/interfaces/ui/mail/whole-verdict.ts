import { checkKindOf, countKinds, isHarmless, worstFirst } from '../check/check-kind.ts';
import type { QueuedCheck } from '../check/check-queue.ts';
import { type Child, html } from '../elements/dom.ts';
import { reasonLine } from '../result/reasons/reason-line.ts';
import type { Locale } from '../shell/locale.ts';
import type { MailCheck } from './mail-check.ts';
import type { MailLocale } from './mail-locale.ts';

/** Maximum number of reasons that are shown. */
const SHOWN = 5;

/** Shows the verdict of the service on a mail: its probability, what its links add to it, and its strongest reasons. */
export function wholeVerdict(
  { answer, isRefused }: MailCheck,
  checks: readonly QueuedCheck[],
  locale: MailLocale,
): Child {
  const { say, tell, format } = locale;
  if (answer === null) return isRefused && html('p', { class: 'note', role: 'status' }, tell('linksOnly'));
  const { decision, malicious_probability: probability, reasons } = answer;
  const leading = reasons.filter(({ weight }) => decision === 'allow' || weight > 0).slice(0, SHOWN);
  return html(
    'section',
    { class: 'why', 'aria-labelledby': 'mail-title' },
    html('p', {}, say('result.probability'), ' ', html('strong', {}, format.percent(probability))),
    linksLine(checks, locale),
    leading.length > 0 && html('h3', {}, say('result.reasons')),
    html(
      'ol',
      { class: 'reasons' },
      leading.map((reason) => reasonLine(reason, locale)),
    ),
  );
}

/** Counts the worst of the links; nothing if all are harmless or unchecked. */
function linksLine(checks: readonly QueuedCheck[], { say, format }: Locale): Child {
  const [worst] = worstFirst(checks);
  const kind = worst ? checkKindOf(worst) : 'unchecked';
  if (isHarmless(kind) || kind === 'unchecked') return null;
  const words = { count: format.number(countKinds(checks)[kind]), total: format.number(checks.length) };
  return html('p', {}, say(`headline.${kind}`, words));
}
