import { html } from '../elements/dom.ts';
import type { Speaker } from '../languages/speak.ts';
import type { CheckDraft } from './check-draft.ts';
import { type Given, givenBy, type IntakeProblem, mayHideLinks, takeIn } from './intake.ts';

/** What is told of the box. */
export interface BoxWatcher {
  /** After every change of its text, and once what was given has been read; `problems` are those of the latter. */
  changed(problems: readonly IntakeProblem[]): void;
  reading(): void;
  /** The readers did not come from the service. */
  failed(): void;
  /** Enter was pressed. */
  submit(): void;
}

/** The text box. Of what has links behind its words it holds the links, one a line, so that it shows what will be checked. */
export interface LinkBox {
  readonly element: HTMLTextAreaElement;
  /** Settles once what was given last stands in the box. */
  settled(): Promise<void>;
  /** Reads what was dropped, chosen, or pasted beside the box, and puts it in the place of all that is there. */
  take(given: Given): void;
  /** Shows the draft after it was changed from outside. */
  refresh(): void;
  /** Whether what is there has been checked: whoever comes back to the box then begins anew. */
  setChecked(isChecked: boolean): void;
}

/** A link, as whoever pastes one means it to stand by itself. */
const BEGINS_WITH_LINK = /^\s*h[tx*_+]{2}ps?[:[({]/i;

/** Builds the box. */
export function linkBox(draft: CheckDraft, say: Speaker, watcher: BoxWatcher): LinkBox {
  let taking = Promise.resolve();
  let isChecked = false;
  const element = html('textarea', {
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
    input: changed,
    // Only then has the browser put the cursor where the box was clicked.
    focus: () => void (isChecked && setTimeout(() => element.select())),
    keydown: (event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      watcher.submit();
    },
    paste: (event) => {
      if (!(event instanceof ClipboardEvent)) return;
      const given = givenBy(event.clipboardData);
      if (!mayHideLinks(given) && !BEGINS_WITH_LINK.test(given.text)) return;
      event.preventDefault();
      if (mayHideLinks(given)) taking = take(given);
      else put(given.text);
    },
  });

  async function take(given: Given): Promise<void> {
    watcher.reading();
    try {
      const { links, problems } = await takeIn(given);
      for (const link of links) draft.told.set(link.url, link);
      put(links.length > 0 ? links.map(({ url }) => url).join('\n') : given.text);
      watcher.changed(problems);
    } catch {
      watcher.failed();
    }
  }

  /** Two links that touch would be one wrong link, so a line break stands between what is put and what is there. */
  function put(text: string): void {
    const { value, selectionStart: from, selectionEnd: to } = element;
    const before = /\S$/.test(value.slice(0, from)) ? '\n' : '';
    const after = /^\S/.test(value.slice(to)) ? '\n' : '';
    element.setRangeText(`${before}${text}${after}`, from, to, 'end');
    changed();
  }

  function changed(): void {
    draft.text = element.value;
    isChecked = false;
    watcher.changed([]);
  }

  return {
    element,
    settled: () => taking,
    take(given) {
      element.select();
      if (mayHideLinks(given)) taking = take(given);
      else put(given.text);
      element.focus();
    },
    refresh() {
      if (element.value !== draft.text) element.value = draft.text;
      element.rows = Math.min(8, Math.max(1, draft.text.split('\n').length));
    },
    setChecked(value) {
      isChecked = value;
    },
  };
}
