import { html } from '../elements/dom.ts';
import type { Speaker } from '../languages/speak.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import type { CheckDraft } from './check-draft.ts';
import { rememberedPrivate, rememberPrivate } from './remembered-visibility.ts';

/** The switch between a public and a private check, with a sentence on what the chosen one keeps. */
export function visibilityChoice(draft: CheckDraft, say: Speaker, settings: PageSettings): HTMLElement {
  const meaning = html('p', { class: 'meaning', id: 'visibility-means', 'aria-live': 'polite' });
  const choice = (value: 'public' | 'private') =>
    html(
      'label',
      {},
      html('input', {
        type: 'radio',
        name: 'visibility',
        value,
        checked: (value === 'private') === draft.isPrivate,
        'aria-describedby': 'visibility-means',
        change: () => {
          draft.isPrivate = value === 'private';
          explain();
          if (remember.checked) rememberPrivate(draft.isPrivate);
        },
      }),
      html('span', {}, say(`check.${value}`)),
    );

  const remember = html('input', {
    type: 'checkbox',
    checked: rememberedPrivate() !== null,
    change: () => rememberPrivate(remember.checked ? draft.isPrivate : null),
  });

  function explain(): void {
    const publicMeaning = settings.isHistoryPublic ? 'check.public.means' : 'check.public.hidden';
    meaning.textContent = say(draft.isPrivate ? 'check.private.means' : publicMeaning);
  }

  explain();
  return html(
    'fieldset',
    { class: 'visibility' },
    html('legend', { class: 'visually-hidden' }, say('check.visibility')),
    html('div', { class: 'segments' }, choice('public'), choice('private')),
    meaning,
    html('label', { class: 'remember' }, remember, ' ', say('check.remember')),
  );
}
