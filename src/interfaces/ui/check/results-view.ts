import type { NonWebTarget } from '#src/engine/message/non-web-target.ts';
import { verdictHead } from '../elements/decision-marks.ts';
import { type Child, html, replaceChildren } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { foreign, literal } from '../elements/literal.ts';
import { refusalText } from '../elements/refusal-text.ts';
import { shownUrl } from '../elements/shown-url.ts';
import { mailPlace } from '../mail/mail-place.ts';
import { mailOfLinks } from '../mail/opened-mail.ts';
import { clickedHelp } from '../result/clicked-help.ts';
import { resultView } from '../result/result-view.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { type BatchList, batchList } from './batch/batch-list.ts';
import { headlineOf } from './check-kind.ts';
import type { QueuedCheck } from './check-queue.ts';
import { type CheckState, isOutdated } from './check-state.ts';
import { lookOfTarget, nonWebSentence } from './intake/non-web-words.ts';
import { unreadLine } from './intake/unchecked-lines.ts';

/** The list of a batch, and the open result. */
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
  /** Moves to the head of a batch; `isKept` says if its results survive a reload. */
  focusBatch(isKept: boolean): void;
}

/** Callbacks of the view. */
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
    const isOfMail = state.mail !== null || mailOfLinks(state.checks.map(({ link }) => link)) !== null;
    batch = state.checks.length > 1 ? batchList(state.checks, state.unread, isOfMail, locale, open) : null;
    batch?.mark(state.openCheck);
    replaceChildren(batchPlace, batch?.element);
    mail.show(state.checks, state.mail);
  }

  function showResult(): void {
    const { openCheck } = state;
    spoken.textContent = '';
    replaceChildren(
      resultPlace,
      openCheck && batchSteps(batch?.readable() ?? [], openCheck, locale, open),
      openCheck && batch === null && state.unread.map((problem) => unreadLine(problem, locale)),
      openCheck && settledCheck(openCheck, state, locale, settings, () => watcher.repeat(openCheck)),
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
    state.openCheck = check;
    showResult();
    batch?.mark(check);
    watcher.opened();
    resultPlace.querySelector('h2')?.focus({ preventScroll: true });
    resultPlace.scrollIntoView({ block: 'start' });
    const headline = headlineOf(check);
    if (headline !== null) spoken.textContent = say('check.done', { decision: say(headline) });
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
    focusBatch(isKept) {
      batch?.noteKept(isKept);
      const title = mail.focus();
      if (title === null) batchPlace.querySelector('h2')?.focus();
      else spoken.textContent = say('check.done', { decision: title });
    },
  };
}

/** Shows a check's result or refusal; `again` repeats the check. */
function settledCheck(
  { result, signature, refusal, isPrivate, link, target }: QueuedCheck,
  { mail }: Pick<CheckState, 'mail'>,
  locale: Locale,
  settings: PageSettings,
  again: () => void,
): Child {
  if (target) return targetView(target, mail !== null, locale);
  if (result)
    return resultView(
      { result, signature, isPrivate, mismatch: link.mismatch, isReversed: link.isReversed },
      locale,
      settings,
      again,
    );
  if (!refusal) return null;
  const text = html('p', { class: 'complaint', role: 'alert' }, refusalText(refusal, locale));
  return html('div', { class: 'card refusal' }, text);
}

/** Shows a finding as a result: its description, and a note that it was not checked; `isInMail` if its mail was sent. */
function targetView(target: NonWebTarget, isInMail: boolean, { say }: Locale): HTMLElement {
  const look = lookOfTarget(target);
  return html(
    'section',
    {
      class: 'result',
      'data-decision': look === 'warn' ? 'warn' : 'allow',
      'data-coverage': 'url_only',
      'data-caution': 'true',
      'aria-labelledby': 'result-title',
    },
    html(
      'div',
      { class: `verdict ${look}` },
      verdictHead(look, say('target.title'), [
        filled(nonWebSentence(target, say), () => foreign(target.words ?? '')),
        '. ',
        say('target.advice'),
      ]),
      target.target !== '' && html('p', { class: 'checked-url' }, literal(target.target, 'mono')),
      html('p', { class: 'meta' }, say(isInMail ? 'target.inMail' : 'target.notSent')),
      clickedHelp(say),
    ),
  );
}

/** Builds the links to the previous and next result of a batch; null if there is no other. */
function batchSteps(
  checks: readonly QueuedCheck[],
  shown: QueuedCheck,
  { say, format }: Locale,
  open: (check: QueuedCheck) => void,
): HTMLElement | null {
  const place = checks.indexOf(shown);
  if (place < 0 || checks.length < 2) return null;
  const step = (key: 'batch.previous' | 'batch.next', to: QueuedCheck | undefined) =>
    html('button', { type: 'button', disabled: to === undefined, click: () => to && open(to) }, say(key));
  return html(
    'nav',
    { class: 'steps', 'aria-label': say('check.results') },
    step('batch.previous', checks[place - 1]),
    html('span', {}, say('batch.place', { place: format.number(place + 1), total: format.number(checks.length) })),
    step('batch.next', checks[place + 1]),
  );
}

/**
 * Builds the section that contains `parts`, folded and greyed once they do not belong to the content of the text box.
 */
function resultsFold({ say }: Locale, parts: readonly HTMLElement[]) {
  const summary = html('summary', {});
  const inside = html('div', {});
  const fold = html('details', { class: 'outdated card' }, summary, inside);
  const element = html('div', { class: 'results' }, parts);
  return {
    element,
    /** Folds the results of these checks away; null shows them as they are. */
    setOutdated(checks: readonly QueuedCheck[] | null) {
      fold.open = false;
      if (checks === null) {
        replaceChildren(element, parts);
        return;
      }
      replaceChildren(inside, parts);
      replaceChildren(element, html('p', { class: 'not-yet' }, say('outdated.lead')), fold);
      replaceChildren(summary, titleOf(checks));
    },
  };

  function titleOf(checks: readonly QueuedCheck[]) {
    const [first] = checks;
    if (checks.length > 1 || first === undefined) return say.count('outdated.many', checks.length);
    return filled(say('outdated.single'), () => shownUrl(first.url));
  }
}
