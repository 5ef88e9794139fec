import type { MessageLink } from '#src/engine/message/message-link.ts';
import { html } from '../elements/dom.ts';
import type { Speaker } from '../languages/speak.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { type CheckDraft, choicesOf, hostsOf } from './check-draft.ts';
import { chosenForTab, rememberedPrivate, rememberPrivate } from './remembered-visibility.ts';

/** The switch between a public and a private check. */
export interface VisibilityChoice {
  readonly element: HTMLElement;
  /** Shows what applies to the links that are now in the text box. */
  refresh(links: readonly MessageLink[]): void;
}

/** Builds the switch, with a sentence on what the chosen one keeps. What came from a private check stays private. */
export function visibilityChoice(draft: CheckDraft, say: Speaker, settings: PageSettings): VisibilityChoice {
  const meaning = html('p', { class: 'meaning', id: 'visibility-means', 'aria-live': 'polite' });
  const inputOf = (value: 'public' | 'private') =>
    html('input', {
      type: 'radio',
      name: 'visibility',
      value,
      'aria-describedby': 'visibility-means',
      change: () => {
        draft.isPrivate = value === 'private';
        chosenForTab(draft.isPrivate);
        show();
        if (remember.checked) rememberPrivate(draft.isPrivate);
      },
    });
  const [publicly, privately] = [inputOf('public'), inputOf('private')];
  const remember = html('input', {
    type: 'checkbox',
    checked: rememberedPrivate() !== null,
    change: () => rememberPrivate(remember.checked ? draft.isPrivate : null),
  });

  function show(): void {
    const { keepsPrivate: isKept } = draft;
    const { isPrivate } = choicesOf(draft);
    publicly.checked = !isPrivate;
    privately.checked = isPrivate;
    publicly.disabled = isKept;
    remember.disabled = isKept;
    const publicMeaning = settings.isHistoryPublic ? 'check.public.means' : 'check.public.hidden';
    const words = say(isPrivate ? 'check.private.means' : publicMeaning);
    const said = isKept ? `${say('check.private.kept')} ${words}` : words;
    // Screen readers announce each write, so write only differences.
    if (meaning.textContent !== said) meaning.textContent = said;
  }

  show();
  const element = html(
    'fieldset',
    { class: 'visibility' },
    html('legend', { class: 'visually-hidden' }, say('check.visibility')),
    html(
      'div',
      { class: 'segments' },
      html('label', {}, publicly, html('span', {}, say('check.public'))),
      html('label', {}, privately, html('span', {}, say('check.private'))),
    ),
    meaning,
    html('label', { class: 'remember' }, remember, ' ', say('check.remember')),
  );
  return {
    element,
    refresh(links) {
      draft.keepsPrivate = [...hostsOf(links)].some((host) => draft.privateHosts.has(host));
      show();
    },
  };
}
