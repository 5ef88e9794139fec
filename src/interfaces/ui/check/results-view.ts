import { html, replaceChildren } from '../elements/dom.ts';
import { mailPlace } from '../mail/mail-place.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { type BatchList, batchList } from './batch/batch-list.ts';
import { batchSteps } from './batch/batch-steps.ts';
import { checkKindOf } from './check-kind.ts';
import type { QueuedCheck } from './check-queue.ts';
import { type CheckState, isOutdated } from './check-state.ts';
import { unreadLine } from './intake/unread-line.ts';
import { resultsFold } from './results-fold.ts';
import { settledCheck } from './settled-check.ts';

/** What came of the checks: the list of a batch, and the result that is open. */
export interface ResultsView {
  /** Results, and a line that is read out and not seen. */
  readonly elements: readonly [spoken: HTMLElement, results: HTMLElement];
  /** Shows everything again. */
  show(): void;
  /** Shows if the results belong to the content of the text box; returns true if that has changed. */
  showAge(): boolean;
  changed(check: QueuedCheck): void;
  /** Opens the result of a check and moves there. */
  open(check: QueuedCheck): void;
  focusBatch(): void;
}

/** What the view calls. */
export interface ResultsWatcher {
  /** Another result is open. */
  opened(): void;
  /** A check is to be repeated. */
  repeat(check: QueuedCheck): void;
}

/** Builds the view of the checks of a state. */
export function resultsView(
  state: CheckState,
  locale: Locale,
  settings: PageSettings,
  watcher: ResultsWatcher,
): ResultsView {
  const { say } = locale;
  let batch: BatchList | null = null;
  let isShownOutdated = false;
  const mail = mailPlace(locale, open);
  const batchPlace = html('div', {});
  const resultPlace = html('div', {});
  const fold = resultsFold(locale, [mail.element, batchPlace, resultPlace]);
  const spoken = html('p', { class: 'visually-hidden', role: 'status' });

  function showBatch(): void {
    batch = state.checks.length > 1 ? batchList(state.checks, state.unread, locale, open) : null;
    batch?.mark(state.shown);
    replaceChildren(batchPlace, batch?.element);
    mail.show(state.checks);
  }

  function showResult(): void {
    const { shown } = state;
    spoken.textContent = '';
    replaceChildren(
      resultPlace,
      shown && batchSteps(batch?.readable() ?? [], shown, locale, open),
      shown && batch === null && state.unread.map((problem) => unreadLine(problem, locale)),
      shown && settledCheck(shown, locale, settings, () => watcher.repeat(shown)),
    );
  }

  function showAge(): boolean {
    const isOld = isOutdated(state);
    const isChanged = isOld !== isShownOutdated;
    isShownOutdated = isOld;
    fold.setOutdated(isOld ? state.checks : null);
    spoken.textContent = isOld ? say('outdated.announced') : '';
    return isChanged;
  }

  function open(check: QueuedCheck): void {
    state.shown = check;
    showResult();
    batch?.mark(check);
    watcher.opened();
    resultPlace.querySelector('h2')?.focus({ preventScroll: true });
    resultPlace.scrollIntoView({ block: 'start' });
    const kind = checkKindOf(check);
    if (kind !== 'unchecked') spoken.textContent = say('check.done', { decision: say(`decision.${kind}`) });
  }

  return {
    elements: [spoken, fold.element],
    show() {
      showBatch();
      showResult();
      showAge();
    },
    showAge,
    changed(check) {
      batch?.changed(check);
      mail.changed();
    },
    open,
    focusBatch() {
      if (!mail.focus()) batchPlace.querySelector('h2')?.focus();
    },
  };
}
