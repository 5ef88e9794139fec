import { requestFeedback } from '../api/api.ts';
import { type Child, html } from '../elements/dom.ts';
import type { Locale } from '../shell/locale.ts';

/** The most characters (UTF-16 code units) that the service takes. */
const MAX_COMMENT_LENGTH = 500;

/** Creates the form that reports a wrong verdict on a public check to the operator. */
export function feedbackForm(requestId: string, { say }: Locale): Child {
  const comment = html('textarea', { rows: 2, maxlength: MAX_COMMENT_LENGTH });
  const said = html('p', { role: 'status', tabindex: -1 });
  const ask = html(
    'div',
    {},
    html('p', { class: 'muted' }, say('feedback.lead')),
    html('label', {}, say('feedback.comment'), comment),
    choice('malicious'),
    choice('benign'),
  );

  function choice(verdict: 'malicious' | 'benign'): HTMLElement {
    return html('button', { type: 'button', click: () => void give(verdict) }, say(`feedback.${verdict}`));
  }

  async function give(verdict: 'malicious' | 'benign'): Promise<void> {
    try {
      await requestFeedback({ request_id: requestId, verdict, comment: comment.value });
      ask.remove();
      said.textContent = say('feedback.thanks');
      // What had the focus is gone.
      said.focus();
    } catch {
      said.textContent = say('feedback.failed');
    }
  }

  return [ask, said];
}

/** Reports a mistake about a site that the gate blocked, by the number of its record. The page never learns the link. */
export function reportView(requestId: string, locale: Locale): HTMLElement {
  const title = html('h1', { tabindex: -1 }, locale.say('route.report'));
  const form = html('div', { class: 'feedback' }, feedbackForm(requestId, locale));
  return html('section', { class: 'card' }, title, html('p', {}, html('code', {}, requestId)), form);
}
