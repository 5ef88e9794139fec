import type { MessageLink } from '#src/engine/message/message-link.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import { isWholeMail, type MailCheck, mailCheck } from '../mail/opened-mail.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { keepBatch } from './batch/kept-batch.ts';
import { type CheckDraft, choicesOf } from './check-draft.ts';
import { checkForm, type FoldState } from './check-form.ts';
import { checkKindOf } from './check-kind.ts';
import { checkLine } from './check-line.ts';
import { foundTarget, type QueuedCheck, queuedCheck, runChecks } from './check-queue.ts';
import { type CheckState, gistOf, hasChecks, isOutdated, rememberChecks } from './check-state.ts';
import type { Given } from './intake/given.ts';
import { progressView } from './progress-view.ts';
import { resultsView } from './results-view.ts';

/** State that marks a history entry as a result's. It contains no link. */
const OF_RESULT = 'result';

/**
 * Adds a history entry for a result after that of the text box, so that Back leads to the text box; consecutive results
 * share one entry.
 */
function enterResult(): void {
  if (!isResultEntry(history.state)) history.pushState(OF_RESULT, '');
}

/** Returns true if the state of an entry is that of a result. */
export function isResultEntry(state: unknown): boolean {
  return state === OF_RESULT;
}

/** The page of its two readers: one who is unsure about a link, and the analyst behind them. */
export interface CheckView {
  readonly element: HTMLElement;
  /** Puts the cursor where typing begins; `isForNext` unfolds the form for the next check. */
  focus(isForNext?: boolean): void;
  /** Replaces the content of the text box by a link, whose check stays private if `isPrivate`. */
  fillWith(link: string, isPrivate?: boolean): void;
  /** Replaces the content of the text box by the links of a packed batch. */
  takeBatch(packed: string): Promise<void>;
  /** Shows below the text box why something is not in it. */
  complain(key: 'share.tooLong'): void;
  /** Replaces the content of the text box by a link, and checks it. */
  check(link: string, isPrivate: boolean): void;
  /** Reads content that was dropped on the page, or pasted outside the text box. */
  take(given: Given): void;
  stop(): void;
  /** Short summary for the title, such as the verdict, without a link; empty before the first result. */
  gist(): string;
}

/** Builds the page from its state; `told` is called whenever there is another gist. */
export function checkView(state: CheckState, locale: Locale, settings: PageSettings, onChange: () => void): CheckView {
  const { draft } = state;
  let running: AbortController | null = null;
  const stop = () => running?.abort();
  const form = checkForm(draft, locale, settings, { submit: (links) => void begin(links), changed: boxChanged });
  const progress = progressView(locale, stop);
  const recent = recentChecks(locale, openRecent);
  const repeat = (check: QueuedCheck) => void run([queuedCheck(check.link, check)], null);
  const results = resultsView(state, locale, settings, { opened: onChange, repeat });
  const [spoken, shown] = results.elements;
  const element = pageOf(locale.say, form.element, [spoken, progress.element, shown, recent.element]);

  async function begin(links: readonly MessageLink[]): Promise<void> {
    state.unread = draft.beside.problems;
    await run(checksOf(links, draft), mailToSend(links, draft));
  }

  async function run(checks: readonly QueuedCheck[], mail: MailCheck | null): Promise<void> {
    stop();
    const control = new AbortController();
    running = control;
    const checkedText = draft.text;
    Object.assign(state, { checks, mail, openCheck: null, checkedText } satisfies Partial<CheckState>);
    showAll();
    form.fold('running');
    const sent = checks.filter(({ target }) => target === null);
    if (sent.length > 0 || mail !== null) progress.show(sent);
    const watcher = {
      changed(check: QueuedCheck) {
        if (running !== control) return;
        progress.show(sent);
        results.changed(check);
        onChange();
      },
      waiting: progress.showWait,
    };
    await runChecks(checks, mail, watcher, control.signal);
    if (running !== control) return;
    running = null;
    state.recent = rememberChecks(state.recent, checks);
    progress.hide();
    showRecent();
    finish();
    onChange();
  }

  /** Shows the results, unless the content of the text box has changed meanwhile. */
  function finish(): void {
    const [only] = state.checks;
    const isSingle = state.checks.length === 1 && only !== undefined;
    if (isOutdated(state)) {
      form.fold('open');
      if (isSingle) state.openCheck = only;
      showAll();
      return;
    }
    form.fold(foldOf(state));
    enterResult();
    if (isSingle) results.open(only);
    if (!isSingle || state.mail !== null) results.focusBatch(keepBatch(state));
  }

  function boxChanged(isGiven: boolean): void {
    // A running check is of something else; this one may begin.
    form.fold('open');
    if (isGiven) state.checkedText = null;
    if (hasChecks(state) && results.showAge()) onChange();
  }

  function openRecent(check: QueuedCheck): void {
    if (!state.checks.includes(check)) {
      stop();
      Object.assign(state, { checks: [check], mail: null, unread: [] } satisfies Partial<CheckState>);
    }
    state.checkedText = draft.text;
    showAll();
    results.open(check);
  }

  function showAll(): void {
    results.show();
    showRecent();
  }

  function showRecent(): void {
    recent.show(state.recent, state.checks);
  }

  form.fold(foldOf(state));
  showAll();
  return {
    ...form,
    element,
    focus(isForNext) {
      if (isForNext) form.fold('open');
      form.box.focus();
    },
    complain: (key) => form.complain(locale.say(key)),
    check(link, isPrivate) {
      form.fillWith(link, isPrivate);
      form.element.requestSubmit();
    },
    stop,
    gist: () => (isOutdated(state) ? '' : running ? locale.say('check.running') : gistOf(state, locale)),
  };
}

/** The findings and links of the text box, of which none is checked yet. */
function checksOf(links: readonly MessageLink[], draft: CheckDraft): QueuedCheck[] {
  const choices = choicesOf(draft);
  const findings = draft.beside.nonWeb.map((target) => foundTarget(target, choices));
  return [...findings, ...links.map((link) => queuedCheck(link, choices))];
}

/** Returns the check of the mail that contains the links; null if there is none, or it is not to be sent. */
function mailToSend(links: readonly MessageLink[], draft: CheckDraft): MailCheck | null {
  const mail = draft.isMailSent ? draft.beside.mail : null;
  return mail && isWholeMail(mail, links) ? mailCheck(mail, choicesOf(draft)) : null;
}

/** Leaves the form open where something is still to be checked. */
function foldOf(state: CheckState): FoldState {
  const isAll = state.checks.every((check) => checkKindOf(check) !== 'unchecked');
  return isAll && hasChecks(state) && !isOutdated(state) ? 'done' : 'open';
}

function pageOf(say: Locale['say'], form: HTMLElement, rest: readonly HTMLElement[]): HTMLElement {
  return html(
    'div',
    { class: 'check-page' },
    html(
      'section',
      { class: 'ask', 'aria-labelledby': 'ask-title' },
      html('h1', { id: 'ask-title', tabindex: -1 }, say('check.title')),
      html('p', { class: 'lead' }, say('check.lead')),
      form,
    ),
    rest,
  );
}

/** Builds the folded list of the checks of this tab; a line calls `open`. */
function recentChecks(locale: Locale, open: (check: QueuedCheck) => void) {
  const list = html('ol', { class: 'recent-list' });
  const element = html(
    'details',
    { class: 'recent', hidden: true },
    html('summary', {}, locale.say('recent.title')),
    list,
  );
  return {
    element,
    /** Shows the checks but for those that are seen anyway. */
    show(recent: readonly QueuedCheck[], seen: readonly QueuedCheck[]) {
      const shown = recent.filter((check) => !seen.includes(check));
      element.hidden = shown.length === 0;
      replaceChildren(
        list,
        shown.map((check) => html('li', {}, checkLine(check, locale, open))),
      );
    },
  };
}
