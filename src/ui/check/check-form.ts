import { defang } from '#src/url/defang.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import { foreign } from '../elements/foreign.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import type { CheckDraft } from './check-draft.ts';
import { type Link, readLinks } from './links.ts';
import { visibilityChoice } from './visibility-choice.ts';

/** Links of one go; more are a job for the command line. */
const MAX_LINKS = 200;

/** Links of the preview under the box. */
const MAX_PREVIEWED = 3;

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
    const links = readLinks(draft.text);
    const count = Math.min(Math.max(links.filter(({ url }) => url !== null).length, 1), MAX_LINKS);
    button.textContent = count === 1 ? say('check.submit') : say.count('check.submit', count);
    box.removeAttribute('aria-invalid');
    replaceChildren(reading, preview(links));
  }

  function preview(links: readonly Link[]) {
    const read = links.filter(({ url }) => url !== null);
    const leftOut = links.length - read.length;
    const note = [
      leftOut > 0 && html('p', {}, say.count('check.leftOut', leftOut)),
      read.length > MAX_LINKS && html('p', {}, say('check.tooMany', { limit: format.number(MAX_LINKS) })),
    ];
    const isChanged = links.length > 1 || links.some(({ given, url }) => given !== url);
    if (read.length === 0) return null;
    if (!isChanged) return note;
    const shown = read.slice(0, MAX_PREVIEWED).map(({ url }) => html('li', {}, foreign(url ?? '', 'mono')));
    const rest = read.length - shown.length;
    return [
      html('p', {}, say('check.will')),
      html('ul', {}, shown, rest > 0 && html('li', {}, say('check.will.more', { count: format.number(rest) }))),
      note,
    ];
  }

  function accept(): void {
    if (button.ariaDisabled === 'true') return;
    const links = readLinks(draft.text);
    const urls = links.flatMap(({ url }) => url ?? []).slice(0, MAX_LINKS);
    const [first] = links;
    if (!first) complain(say('check.empty'));
    else if (urls.length === 0) complain(say('check.unreadable', { text: defang(first.given.slice(0, 100)) }));
    else submit(urls);
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
