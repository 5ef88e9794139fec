import { html } from '../elements/dom.ts';
import type { Locale } from '../shell/locale.ts';
import { feedbackBox } from './feedback-box.ts';

/** Reports a mistake about a site that the gate blocked, by the number of its record. The page never learns the link. */
export function reportView(requestId: string, locale: Locale): HTMLElement {
  const box = feedbackBox(requestId, locale);
  box.setAttribute('open', '');
  const title = html('h1', { tabindex: -1 }, locale.say('route.report'));
  return html('section', { class: 'card' }, title, html('p', {}, html('code', {}, requestId)), box);
}
