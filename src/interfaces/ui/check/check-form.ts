import { defang } from '#src/core/url/defang.ts';
import { prioritizeLinks } from '#src/engine/message/link-order.ts';
import { linksInText, type TextReading } from '#src/engine/message/links-in-text.ts';
import type { MessageLink } from '#src/engine/message/message-link.ts';
import { coalesce } from '../elements/coalesce.ts';
import { type Child, html, replaceChildren } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { foreign } from '../elements/foreign.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { type BesideLinks, type CheckDraft, NOTHING_BESIDE } from './check-draft.ts';
import { forecast } from './forecast.ts';
import { foundLinks } from './intake/found-links.ts';
import { foundTargets } from './intake/found-targets.ts';
import type { Given } from './intake/intake.ts';
import { linkBox } from './intake/link-box.ts';
import { otherSources } from './intake/other-sources.ts';
import { unreadLine } from './intake/unread-line.ts';
import { visibilityChoice } from './visibility-choice.ts';
import { visitChoice } from './visit-choice.ts';

/** The text box, the switch and the button. */
export interface CheckForm {
  readonly element: HTMLFormElement;
  readonly box: HTMLTextAreaElement;
  /** Replaces the content of the text box by a link. */
  fillWith(link: string): void;
  /** Replaces the content of the text box by the links of a packed batch. */
  takeBatch(packed: string): Promise<void>;
  /** Shows an error below the text box. */
  complain(said: Child): void;
  /** Reads what was dropped somewhere on the page. */
  take(given: Given): void;
  setRunning(isRunning: boolean): void;
}

/** What the form calls. */
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
  const box = linkBox(draft, say, {
    changed(isGiven) {
      box.refresh();
      reader.call();
      // A running check is of something else; this one may begin.
      button.setAttribute('aria-disabled', 'false');
      watcher.changed(isGiven);
    },
    reading: () => replaceChildren(reading, html('p', { role: 'status' }, say('check.reading'))),
    failed: () => complain(say('refusal.unreachable')),
    submit: () => element.requestSubmit(),
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
        void accept();
      },
    },
    html('label', { for: 'link', class: 'box-label' }, say('check.box')),
    html('div', { class: 'box-row' }, box.element, button),
    reading,
    otherSources(say, box.take, complain),
    visitChoice(draft, say, settings),
    visibilityChoice(draft, say, settings),
  );

  function fill(text: string, beside: BesideLinks): void {
    draft.text = text;
    draft.beside = beside;
    refresh();
    watcher.changed(true);
  }

  /** Reads the text box and shows what will be checked. */
  function refresh(): TextReading {
    reader.cancel();
    box.refresh();
    const found = linksInText(draft.text);
    const { links, linesWithout } = found;
    button.textContent = links.length < 2 ? say('check.submit') : say.count('check.submit', links.length);
    box.element.removeAttribute('aria-invalid');
    replaceChildren(
      reading,
      preview(links),
      links.length > 0 && linesWithout.length > 0 && html('p', {}, say.count('check.leftOut', linesWithout.length)),
      foundTargets(draft.beside.nonWeb, locale),
      draft.beside.problems.map((one) => unreadLine(one, locale, 'alert')),
    );
    return found;
  }

  function preview(links: readonly MessageLink[]) {
    const shown = links.map(toldLink);
    const isPlain = shown.every(({ url, words, role }) => url === draft.text.trim() && words === null && !role);
    return isPlain ? null : [foundLinks(shown, locale), shown.length > 1 && forecast(shown.length, locale)];
  }

  /** Returns a link of the text box with the words of the message around it. */
  function toldLink(link: MessageLink): MessageLink {
    return draft.told.get(link.url) ?? link;
  }

  async function accept(): Promise<void> {
    await box.settled();
    if (button.ariaDisabled === 'true') return;
    const { links, linesWithout } = refresh();
    const [unread] = linesWithout;
    if (links.length + draft.beside.nonWeb.length > 0) watcher.submit(prioritizeLinks(links.map(toldLink)));
    else if (unread === undefined) complain(say('check.empty'));
    else complain(filled(say('check.unreadable'), () => foreign(defang(unread.slice(0, 100)))));
  }

  function complain(said: Child): void {
    reader.cancel();
    replaceChildren(reading, html('p', { class: 'complaint', role: 'alert' }, said));
    box.element.setAttribute('aria-invalid', 'true');
    box.element.focus();
  }

  refresh();
  return {
    element,
    box: box.element,
    fillWith: (link) => fill(link, NOTHING_BESIDE),
    async takeBatch(packed) {
      const batch = await readBatch(packed, draft);
      if (batch === null) complain(say('batch.link.broken'));
      else fill(batch.urls.join('\n'), batch);
    },
    complain,
    take: box.take,
    setRunning(isRunning) {
      button.setAttribute('aria-disabled', String(isRunning));
      box.setChecked(!isRunning);
    },
  };
}

/** What a link to a batch holds beside its links, whose words the draft notes; null where it holds none. */
async function readBatch(packed: string, { told }: CheckDraft): Promise<BesideLinks | null> {
  const { unpackBatch } = await import('./batch/batch-link.ts');
  const batch = await unpackBatch(packed);
  if (batch === null) return null;
  const { links, ...beside } = batch;
  for (const link of links) told.set(link.url, link);
  return { ...beside, urls: links.map(({ url }) => url) };
}
