import { linksInText, type TextReading } from '#src/message/links-in-text.ts';
import { defang } from '#src/url/defang.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import { foreign } from '../elements/foreign.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import type { CheckDraft } from './check-draft.ts';
import { visibilityChoice } from './visibility-choice.ts';

/** Links of one go; more are a job for the command line. */
const MAX_LINKS = 200;

/** Links of the preview under the box; further ones are folded away. */
const MAX_PREVIEWED = 6;

/** The box, the switch and the button. */
export interface CheckForm {
  readonly element: HTMLFormElement;
  readonly box: HTMLTextAreaElement;
  /** Shows the draft after it was changed from outside. */
  refresh(): void;
  setRunning(isRunning: boolean): void;
}

/** Builds the form; `submit` is given the links once all of them can be read. */
export function checkForm(
  draft: CheckDraft,
  { say, format }: Locale,
  settings: PageSettings,
  submit: (urls: readonly string[]) => void,
): CheckForm {
  const box = html('textarea', {
    id: 'link',
    rows: 1,
    class: 'box',
    placeholder: say('check.placeholder'),
    'aria-describedby': 'reading',
    // Checkers of some browsers send what is typed elsewhere.
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    autocorrect: 'off',
    dir: 'ltr',
    input: () => {
      draft.text = box.value;
      refresh();
    },
    keydown: (event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      element.requestSubmit();
    },
  });
  const button = html('button', { type: 'submit', class: 'primary' });
  const reading = html('div', { id: 'reading', class: 'reading' });
  const element = html(
    'form',
    {
      class: 'check-form',
      novalidate: true,
      submit: (event) => {
        event.preventDefault();
        accept();
      },
    },
    html('label', { for: 'link', class: 'box-label' }, say('check.box')),
    html('div', { class: 'box-row' }, box, button),
    reading,
    visibilityChoice(draft, say, settings),
  );

  function refresh(): void {
    if (box.value !== draft.text) box.value = draft.text;
    box.rows = Math.min(8, Math.max(1, draft.text.split('\n').length));
    const found = linksInText(draft.text);
    const count = Math.min(Math.max(found.links.length, 1), MAX_LINKS);
    button.textContent = count === 1 ? say('check.submit') : say.count('check.submit', count);
    box.removeAttribute('aria-invalid');
    replaceChildren(reading, preview(found));
  }

  function preview({ links, linesWithout }: TextReading) {
    const note = [
      linesWithout.length > 0 && html('p', {}, say.count('check.leftOut', linesWithout.length)),
      links.length > MAX_LINKS && html('p', {}, say('check.tooMany', { limit: format.number(MAX_LINKS) })),
    ];
    const [first] = links;
    if (!first) return null;
    if (links.length === 1 && first.url === draft.text.trim()) return note;
    const lines = links.slice(0, MAX_LINKS).map(({ url }) => html('li', {}, foreign(url, 'mono')));
    const folded = lines.splice(MAX_PREVIEWED);
    return [
      html('p', {}, say('check.will')),
      html('ul', {}, lines),
      folded.length > 0 &&
        html(
          'details',
          {},
          html('summary', {}, say('check.will.more', { count: format.number(folded.length) })),
          html('ul', {}, folded),
        ),
      note,
    ];
  }

  function accept(): void {
    if (button.ariaDisabled === 'true') return;
    const { links, linesWithout } = linksInText(draft.text);
    const [unread] = linesWithout;
    if (links.length > 0) submit(links.slice(0, MAX_LINKS).map(({ url }) => url));
    else if (unread === undefined) complain(say('check.empty'));
    else complain(say('check.unreadable', { text: defang(unread.slice(0, 100)) }));
  }

  function complain(text: string): void {
    replaceChildren(reading, html('p', { class: 'complaint', role: 'alert' }, foreign(text)));
    box.setAttribute('aria-invalid', 'true');
    box.focus();
  }

  refresh();
  return {
    element,
    box,
    refresh,
    setRunning(isRunning) {
      button.setAttribute('aria-disabled', String(isRunning));
    },
  };
}
