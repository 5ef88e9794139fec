import { html, replaceChildren } from '../elements/dom.ts';
import type { Locale } from '../shell/locale.ts';

/** Creates a discreet place for a report of a wrong verdict; its form comes from the service when it is first opened. */
export function feedbackBox(requestId: string, locale: Locale): HTMLElement {
  const { say } = locale;
  const summary = html('summary', {}, say('feedback.open'));
  const fill = async () => {
    if (box.childElementCount > 1) return;
    const form = await import('./feedback-form.ts').catch(() => null);
    replaceChildren(box, summary, form?.feedbackForm(requestId, locale) ?? say('refusal.unreachable'));
  };
  const box = html('details', { class: 'feedback', toggle: () => void fill() }, summary);
  return box;
}
