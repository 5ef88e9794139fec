import type { MessageLink } from '#src/engine/message/message-link.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { choicesOf } from './check-draft.ts';
import { checkForm } from './check-form.ts';
import { checkLine } from './check-line.ts';
import { foundTarget, type QueuedCheck, queuedCheck, runChecks } from './check-queue.ts';
import { type CheckState, isOutdated } from './check-state.ts';
import { gistOf } from './intake/gist.ts';
import type { Given } from './intake/intake.ts';
import { progressView } from './progress-view.ts';
import { rememberChecks } from './remember-checks.ts';
import { enterResult } from './result-entry.ts';
import { resultsView } from './results-view.ts';

/** The page of its two readers: one who is unsure about a link, and the analyst behind them. */
export interface CheckView {
  readonly element: HTMLElement;
  /** Puts the cursor where typing begins. */
  focus(): void;
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
  const repeat = (check: QueuedCheck) => void run([queuedCheck(check.link, check)]);
  const results = resultsView(state, locale, settings, { opened: onChange, repeat });
  const [spoken, shown] = results.elements;
  const element = pageOf(locale.say, form.element, [spoken, progress.element, shown, recent.element]);

  async function begin(links: readonly MessageLink[]): Promise<void> {
    const { nonWeb, problems } = draft.beside;
    state.unread = problems;
    const findings = nonWeb.map((target) => foundTarget(target, choicesOf(draft)));
    await run([...findings, ...links.map((link) => queuedCheck(link, choicesOf(draft)))]);
  }

  async function run(checks: readonly QueuedCheck[]): Promise<void> {
    stop();
    const control = new AbortController();
    running = control;
    state.checks = checks;
    state.shown = null;
    state.checkedText = draft.text;
    showAll();
    form.setRunning(true);
    const sent = checks.filter(({ target }) => target === null);
    if (sent.length > 0) progress.show(sent);
    const watcher = {
      changed(check: QueuedCheck) {
        if (running !== control) return;
        progress.show(sent);
        results.changed(check);
        onChange();
      },
      waiting: progress.showWait,
    };
    await runChecks(checks, watcher, control.signal);
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
      if (isSingle) state.shown = only;
      showAll();
      return;
    }
    form.setRunning(false);
    enterResult();
    if (isSingle) results.open(only);
    else results.focusBatch();
  }

  function boxChanged(isGiven: boolean): void {
    if (isGiven) state.checkedText = null;
    if (state.checks.length > 0 && results.showAge()) onChange();
  }

  function openRecent(check: QueuedCheck): void {
    if (!state.checks.includes(check)) {
      stop();
      state.checks = [check];
      state.unread = [];
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

  showAll();
  return {
    element,
    focus: () => form.box.focus(),
    fillWith: form.fillWith,
    takeBatch: form.takeBatch,
    complain: (key) => form.complain(locale.say(key)),
    check(link, isPrivate) {
      form.fillWith(link, isPrivate);
      form.element.requestSubmit();
    },
    take: form.take,
    stop,
    gist: () => (isOutdated(state) ? '' : running ? locale.say('check.running') : gistOf(state, locale)),
  };
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

/** What was checked in this tab, folded away. */
interface RecentChecks {
  readonly element: HTMLElement;
  /** Shows the checks but for those that are seen anyway. */
  show(recent: readonly QueuedCheck[], seen: readonly QueuedCheck[]): void;
}

/** Builds the list; a line calls `open`. */
function recentChecks(locale: Locale, open: (check: QueuedCheck) => void): RecentChecks {
  const list = html('ol', { class: 'recent-list' });
  const element = html(
    'details',
    { class: 'recent', hidden: true },
    html('summary', {}, locale.say('recent.title')),
    list,
  );
  return {
    element,
    show(recent, seen) {
      const shown = recent.filter((check) => !seen.includes(check));
      element.hidden = shown.length === 0;
      replaceChildren(
        list,
        shown.map((check) => html('li', {}, checkLine(check, locale, open))),
      );
    },
  };
}
