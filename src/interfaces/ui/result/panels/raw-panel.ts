import type { CheckResult } from '#src/checks/record/check-result.ts';
import { html } from '../../elements/dom.ts';
import { literal } from '../../elements/literal.ts';
import type { Locale } from '../../shell/locale.ts';
import { isLinkAlone } from '../completeness.ts';
import { rawJson } from '../raw-json.ts';

/** The answer, folded away, and how long each stage took. */
export function rawPanel(result: CheckResult, { say, format }: Locale): HTMLElement {
  const { timings, analysis_time, model_version } = result.analysis_details;
  const stage = (name: string, seconds: number) => `${say.maybe(`stage.${name}`, name)} ${format.seconds(seconds)}`;
  return html(
    'div',
    { class: 'panel card raw' },
    html(
      'p',
      { class: 'note' },
      say('phrase.labelled', {
        label: say('timings.title'),
        value: [
          ...Object.entries(timings)
            .filter(([name]) => name !== 'observe' || !isLinkAlone(result.analysis_details))
            .map(([name, seconds]) => stage(name, seconds)),
          `${say('timings.total')} ${format.seconds(analysis_time)}`,
        ].join(' · '),
      }),
    ),
    html(
      'p',
      { class: 'note' },
      `${say('meta.model')} `,
      literal(model_version),
      ` · ${say('meta.id')} `,
      literal(result.request_id),
    ),
    html(
      'details',
      {},
      html('summary', {}, say('raw.title')),
      html('pre', { tabindex: 0, role: 'region', 'aria-label': say('raw.title'), dir: 'ltr' }, rawJson(result)),
    ),
  );
}
