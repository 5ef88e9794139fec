import type { MessageLink } from '#src/engine/message/message-link.ts';
import { html } from '../elements/dom.ts';
import type { Speaker } from '../languages/speak.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { preference } from '../shell/preference.ts';
import { type CheckDraft, choicesOf, hostsOf } from './check-draft.ts';

const stored = preference('visibility');
const ofTab = preference('visibility', () => sessionStorage);

/**
 * Returns true if the reader chose private checks, in this tab or as remembered. The tab's choice survives a reload,
 * which must not publish anything. Null if nothing was chosen.
 */
export function chosenPrivate(): boolean | null {
  return readChoice(ofTab.read()) ?? rememberedPrivate();
}

/** Returns the remembered choice of private checks; null if none is remembered. */
function rememberedPrivate(): boolean | null {
  return readChoice(stored.read());
}

/** Remembers the choice, or, for null, none. */
function rememberPrivate(isPrivate: boolean | null): void {
  stored.write(isPrivate === null ? null : choiceOf(isPrivate));
}

/** Notes the choice for as long as the tab is open. */
function chosenForTab(isPrivate: boolean): void {
  ofTab.write(choiceOf(isPrivate));
}

const choiceOf = (isPrivate: boolean) => (isPrivate ? 'private' : 'public');

const readChoice = (value: string | null) => (value === 'private' || value === 'public' ? value === 'private' : null);

/** Builds the switch, with a sentence on what the chosen one keeps. What came from a private check stays private. */
export function visibilityChoice(draft: CheckDraft, say: Speaker, settings: PageSettings) {
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
    /** Shows what applies to the links that are now in the text box. */
    refresh(links: readonly MessageLink[]) {
      draft.keepsPrivate = [...hostsOf(links)].some((host) => draft.privateHosts.has(host));
      show();
    },
  };
}
