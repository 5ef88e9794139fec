import { defang } from '#src/core/url/defang.ts';
import { prioritizeLinks } from '#src/engine/message/link-order.ts';
import type { MessageLink } from '#src/engine/message/message-link.ts';
import { linksInText, type TextReading } from '#src/engine/message/text/links-in-text.ts';
import { type Child, html } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { foreign } from '../elements/literal.ts';
import type { Speaker } from '../languages/speak.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { type BesideLinks, type CheckDraft, hostsOf, NOTHING_BESIDE } from './check-draft.ts';
import type { Given } from './intake/given.ts';
import { linkBox } from './intake/link-box.ts';
import { otherSources } from './intake/other-sources.ts';
import { readingArea, withWords } from './intake/reading-area.ts';
import { visibilityChoice } from './visibility-choice.ts';

/** The text box, the switch and the button. */
export interface CheckForm {
  readonly element: HTMLFormElement;
  readonly box: HTMLTextAreaElement;
  /** Replaces the content of the text box by a link, whose check stays private if `isPrivate`. */
  fillWith(link: string, isPrivate?: boolean): void;
  /** Replaces the content of the text box by the links of a packed batch. */
  takeBatch(packed: string): Promise<void>;
  /** Shows an error below the text box. */
  complain(said: Child): void;
  /** Reads what was dropped somewhere on the page. */
  take(given: Given): void;
  /** Folds all but the text box away while its links are checked, and once they are. */
  fold(state: FoldState): void;
}

/** How much of the form is visible: all, the text box alone, or the text box and the button for the next check. */
export type FoldState = 'open' | 'running' | 'done';

/** Callbacks of the form. */
export interface FormWatcher {
  /** The links are to be checked, the most telling first. */
  submit(links: readonly MessageLink[]): void;
  /** Called when the content of the text box has changed; `isGiven` is true if it was replaced as a whole. */
  changed(isGiven: boolean): void;
}

/**
 * Milliseconds without a change after which the text box is read again. Some keyboards send many events in a row, which
 * count as two readings.
 */
const SETTLED_MS = 30;

/** Builds the form. */
export function checkForm(draft: CheckDraft, locale: Locale, settings: PageSettings, watcher: FormWatcher): CheckForm {
  const { say } = locale;
  const reader = coalesce(refresh, SETTLED_MS);
  const reading = readingArea(draft, locale);
  const box = linkBox(draft, say, {
    changed(isGiven) {
      box.refresh();
      reader.call();
      watcher.changed(isGiven);
    },
    reading: reading.showBusy,
    failed: () => complain(say('refusal.unreachable')),
    submit: () => element.requestSubmit(),
  });
  const button = html('button', { type: 'submit', class: 'primary' });
  const fold = (state: FoldState) => {
    element.dataset['fold'] = state;
    button.setAttribute('aria-disabled', String(state === 'running'));
    if (state === 'done') box.setChecked();
  };
  const another = html('button', { type: 'button', class: 'another', click: startOver }, say('check.another'));
  const visibility = visibilityChoice(draft, say, settings);
  const element = html(
    'form',
    {
      class: 'check-form',
      novalidate: true,
      submit: (event) => void accept(event),
    },
    html('label', { for: 'link', class: 'box-label' }, say('check.box')),
    html('div', { class: 'box-row' }, box.element, button, another),
    reading.element,
    otherSources(say, box.take, complain),
    visitChoice(draft, say, settings),
    visibility.element,
  );

  function startOver(): void {
    fold('open');
    box.element.focus();
  }

  function fill(text: string, beside: BesideLinks, isPrivate = false): void {
    const privateHosts = isPrivate ? hostsOf(linksInText(text, undefined, true).links) : new Set<string>();
    Object.assign(draft, { text, beside, privateHosts } satisfies Partial<CheckDraft>);
    refresh();
    watcher.changed(true);
  }

  /** Reads the text box and shows what will be checked. */
  function refresh(): TextReading {
    reader.cancel();
    box.refresh();
    const { text } = draft;
    const found = linksInText(text, undefined, true);
    visibility.refresh(found.links);
    show(found);
    void withComparedWords(found.links).then((links) => {
      if (links !== found.links && draft.text === text) show({ ...found, links });
    });
    return found;
  }

  function show(found: TextReading): void {
    const { length } = found.links;
    button.textContent = length < 2 ? say('check.submit') : say.count('check.submit', length);
    box.element.removeAttribute('aria-invalid');
    reading.show(found);
  }

  async function accept(event: Event): Promise<void> {
    event.preventDefault();
    await box.settled();
    if (button.ariaDisabled === 'true') return;
    const { nonWeb, mail } = draft.beside;
    // A message that was typed, or changed after it was pasted.
    if (refresh().links.length + nonWeb.length === 0 && mail === null) await box.retake();
    const { links: read, linesWithout } = refresh();
    const links = await withComparedWords(read);
    if (links.length + draft.beside.nonWeb.length > 0 || (draft.isMailSent && draft.beside.mail?.source))
      watcher.submit(prioritizeLinks(links.map((link) => withWords(link, draft))));
    else complain(noLinkText(linesWithout[0], say));
  }

  function complain(said: Child): void {
    reader.cancel();
    reading.complain(said);
    box.element.setAttribute('aria-invalid', 'true');
    box.element.focus();
  }

  refresh();
  return {
    element,
    box: box.element,
    fillWith: (link, isPrivate) => fill(link, NOTHING_BESIDE, isPrivate),
    async takeBatch(packed) {
      const batch = await readBatch(packed, draft);
      if (batch === null) complain(say('batch.link.broken'));
      else fill(batch.urls.join('\n'), batch, batch.isPrivate);
    },
    complain,
    take: box.take,
    fold,
  };
}

/** Says that there is nothing to check, with the first line that is no link if there is one. */
function noLinkText(line: string | undefined, say: Speaker): Child {
  return line === undefined
    ? say('check.empty')
    : filled(say('check.unreadable'), () => foreign(defang(line.slice(0, 100))));
}

/** Returns links with what their words say that they do not, which the reader of messages finds: it has the table of services. */
async function withComparedWords(links: readonly MessageLink[]): Promise<readonly MessageLink[]> {
  if (links.every(({ words }) => words === null)) return links;
  const { readApart } = await import('../reader/message-reader.ts');
  const read = await readApart({ kind: 'links', links });
  return read?.links.length === links.length ? read.links : links;
}

/** Reads the findings of a link to a batch and notes their words in the draft; null if there are none. */
async function readBatch(
  packed: string,
  { messageLinks }: CheckDraft,
): Promise<(BesideLinks & { readonly isPrivate: boolean }) | null> {
  const { unpackBatch } = await import('./batch/batch-link.ts');
  const batch = await unpackBatch(packed);
  if (batch === null) return null;
  const { links: read, ...beside } = batch;
  const links = await withComparedWords(read);
  for (const link of links) messageLinks.set(link.url, link);
  return { ...beside, urls: links.map(({ url }) => url) };
}

/** Describes what a check will access. If the server would visit the link, the reader can forbid it. */
function visitChoice(draft: CheckDraft, say: Speaker, { network }: PageSettings): HTMLElement {
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

/**
 * Coalesces calls that follow each other within `pauseMs`: `run` is called at the first, and once more after the last
 * of them.
 */
function coalesce(run: () => void, pauseMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (then: () => void) => () => {
    timer = undefined;
    then();
  };
  return {
    call() {
      const isFirst = timer === undefined;
      clearTimeout(timer);
      if (isFirst) run();
      timer = setTimeout(
        end(() => isFirst || run()),
        pauseMs,
      );
    },
    /** Forgets a run that is due. */
    cancel() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
