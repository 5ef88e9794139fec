import { html } from '../elements/dom.ts';
import type { Speaker } from '../languages/speak.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import type { CheckDraft } from './check-draft.ts';

/** What a check will touch, said before it begins; where the server would visit the link, one can ask it not to. */
export function visitChoice(draft: CheckDraft, say: Speaker, { network }: PageSettings): HTMLElement {
  const meaning = html('span', { id: 'visit-means', 'aria-live': 'polite' });
  const box = html('input', {
    type: 'checkbox',
    checked: !draft.visit,
    'aria-describedby': 'visit-means',
    change: () => {
      draft.visit = !box.checked;
      explain();
    },
  });

  function explain(): void {
    meaning.textContent = say(draft.visit ? `visit.${network}` : 'visit.none');
  }

  explain();
  return html(
    'p',
    { class: 'visit' },
    meaning,
    network === 'full' && [' ', html('label', {}, box, ' ', say('visit.off'))],
  );
}
