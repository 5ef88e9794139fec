import { html } from '../../elements/dom.ts';
import type { Speaker } from '../../languages/speak.ts';
import { type CheckDraft, NOTHING_BESIDE } from '../check-draft.ts';
import { type Given, givenBy, mayHideLinks } from './given.ts';

/** Callbacks of the text box. */
export interface BoxWatcher {
  /** After every change of its text, and once what was given has been read; `isGiven` says that something new was put there. */
  changed(isGiven: boolean): void;
  reading(): void;
  /** The readers did not come from the service. */
  failed(): void;
  /** Enter was pressed. */
  submit(): void;
}

/**
 * The text box. For content with links behind its words it has the links, one per line, so that it shows what will be
 * checked.
 */
export interface LinkBox {
  readonly element: HTMLTextAreaElement;
  /** Resolves once the last given content is in the text box. */
  settled(): Promise<void>;
  /** Replaces the content of the text box by what was dropped, chosen, or pasted outside it. */
  take(given: Given): void;
  /** Reads the content of the text box as if it was pasted, if that may find more than its text shows. */
  retake(): Promise<void>;
  /** Shows the draft after it was changed from outside. */
  refresh(): void;
  /** Notes that the content has been checked: a reader who returns to the text box then starts over. */
  setChecked(): void;
}

/** Text that begins with a link, which people paste to check that link. */
const BEGINS_WITH_LINK = /^\s*h[tx*_+]{2}ps?[:[({]/i;

/** Creates the text box. */
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
    input: () => changed(false),
    // Only then has the browser placed the cursor at the click.
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
      const { takeIn } = await import('./take-in.ts');
      const { links, nonWeb, problems, mail } = await takeIn(given);
      for (const link of links) draft.messageLinks.set(link.url, link);
      const isAll = element.selectionStart === 0 && element.selectionEnd === element.value.length;
      const before = isAll ? NOTHING_BESIDE : draft.beside;
      // Text in front of a target that is not a web address must not be checked instead of it.
      if (links.length > 0 || nonWeb.length > 0) put(links.map(({ url }) => url).join('\n'));
      else put(given.text);
      draft.beside = {
        nonWeb: [...before.nonWeb, ...nonWeb],
        problems: [...before.problems, ...problems],
        // Of two messages, neither would be the one that is sent.
        mail: isAll ? mail : null,
        urls: [...before.urls, ...links.map(({ url }) => url)],
      };
      watcher.changed(true);
    } catch {
      watcher.failed();
    }
  }

  /** Inserts text on a line of its own, so that two links do not join into a wrong one. */
  function put(text: string): void {
    const { value, selectionStart: from, selectionEnd: to } = element;
    const before = text !== '' && /\S$/.test(value.slice(0, from)) ? '\n' : '';
    const after = text !== '' && /^\S/.test(value.slice(to)) ? '\n' : '';
    element.setRangeText(`${before}${text}${after}`, from, to, 'end');
    changed(true);
  }

  function changed(isGiven: boolean): void {
    draft.text = element.value;
    isChecked = false;
    const { urls } = draft.beside;
    const isLeft = urls.length === 0 ? draft.text.trim() !== '' : !urls.some((url) => draft.text.includes(url));
    if (isLeft) draft.beside = NOTHING_BESIDE;
    watcher.changed(isGiven);
  }

  return {
    element,
    settled: () => taking,
    take(given) {
      // Selecting focuses the text box in some browsers, and scrolls to it in none.
      element.select();
      if (mayHideLinks(given)) taking = take(given);
      else put(given.text);
      element.focus({ preventScroll: true });
      element.scrollIntoView({ block: 'nearest' });
    },
    async retake() {
      const given = { html: '', text: element.value, files: [] };
      if (!mayHideLinks(given)) return;
      element.select();
      taking = take(given);
      await taking;
    },
    refresh() {
      if (element.value !== draft.text) element.value = draft.text;
      element.rows = Math.min(8, Math.max(1, draft.text.split('\n', 9).length));
    },
    setChecked() {
      isChecked = true;
      element.scrollTop = 0;
    },
  };
}
