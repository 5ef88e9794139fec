import type { CheckResult } from '#src/record/check-result.ts';
import { html } from '../elements/dom.ts';
import type { Locale } from '../shell/locale.ts';

/** The answer as the service sent it, folded away, and how long each stage took. */
export function rawPanel(result: CheckResult, { say, format }: Locale): HTMLElement {
  const { timings, analysis_time, model_version } = result.analysis_details;
  const stage = (name: string, seconds: number) => `${say.maybe(`stage.${name}`, name)} ${format.seconds(seconds)}`;
  return html(
    'div',
    { class: 'panel card raw' },
    html(
      'p',
      { class: 'note' },
      `${say('timings.title')}: `,
      [
        ...Object.entries(timings).map(([name, seconds]) => stage(name, seconds)),
        `${say('timings.total')} ${format.seconds(analysis_time)}`,
      ].join(' · '),
    ),
    html('p', { class: 'note' }, `${say('meta.model')} ${model_version} · ${say('meta.id')} ${result.request_id}`),
    html(
      'details',
      {},
      html('summary', {}, say('raw.title')),
      html('pre', { tabindex: 0, role: 'region', 'aria-label': say('raw.title'), dir: 'ltr' }, rawJson(result)),
    ),
  );
}

/** JSON in which whatever is invisible or turns the text around is escaped; it is still the same JSON. */
export function rawJson(result: CheckResult): string {
  return JSON.stringify(result, null, 2).replace(
    /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
