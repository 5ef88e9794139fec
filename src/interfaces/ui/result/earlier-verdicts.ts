import type { CheckResult } from '#src/checks/record/check-result.ts';
import { needsCaution } from '#src/checks/record/reasons/caution.ts';
import { requestHistory } from '../api/api.ts';
import { decisionChip } from '../elements/decision-marks.ts';
import { type Child, html } from '../elements/dom.ts';
import type { Locale } from '../shell/locale.ts';
import { changesOf, type SiteVerdict, siteVerdictOf, type VerdictChange } from './verdict-changes.ts';

/** Maximum number of earlier checks on the line. */
const SHOWN = 7;

/**
 * Shows earlier public verdicts on a site up to this one, and the changes between them. Rejects if the history is
 * unavailable.
 */
export async function earlierVerdicts(
  result: CheckResult,
  site: string,
  locale: Locale,
  signal: AbortSignal,
): Promise<Child> {
  const query = { domain: site, until: result.timestamp, limit: String(SHOWN) };
  const { items } = await requestHistory(query, signal);
  const checks = [...items.toReversed().map(siteVerdictOf), thisCheck(result)];
  if (checks.length < 2) return null;
  const { say, format } = locale;
  const changes = changesOf(checks);
  return [
    html(
      'ol',
      { class: 'verdict-line', 'aria-label': say('earlier.title') },
      checks.map((check, at) =>
        html(
          'li',
          { class: at === checks.length - 1 ? 'now' : '' },
          decisionChip(check.look, say),
          html('span', { class: 'figure' }, format.percent(check.probability)),
          html('span', { class: 'note' }, at === checks.length - 1 ? say('earlier.now') : format.date(check.timestamp)),
        ),
      ),
    ),
    changes.length === 0
      ? html('p', { class: 'muted' }, say('earlier.same'))
      : html(
          'ul',
          { class: 'verdict-changes' },
          changes.map((change) => html('li', {}, changeLine(change, locale))),
        ),
  ];
}

function thisCheck(result: CheckResult): SiteVerdict {
  const { analysis_details: details, malicious_probability: probability, timestamp } = result;
  const look = needsCaution(result) ? 'caution' : result.decision;
  const { normalized_url: url, model_version: model, coverage } = details;
  return { url, look, probability, timestamp, model, coverage };
}

function changeLine({ from, to, differs }: VerdictChange, { say, format }: Locale): Child {
  const short = ({ look }: SiteVerdict) => say(`decision.${look}.short`);
  const change = say('earlier.change', { date: format.date(to.timestamp), from: short(from), to: short(to) });
  const because = differs.map((one) => say(`earlier.differs.${one}`));
  return because.length === 0 ? change : [change, html('span', { class: 'note' }, format.list(because))];
}
