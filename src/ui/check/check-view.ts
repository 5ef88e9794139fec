import type { MessageLink } from '#src/message/message-link.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import { lookOf } from '../result/shown-result.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { type BatchList, batchList } from './batch-list.ts';
import { batchSteps } from './batch-steps.ts';
import type { CheckDraft } from './check-draft.ts';
import { checkForm } from './check-form.ts';
import { type CheckChoices, type QueuedCheck, queuedCheck, runChecks } from './check-queue.ts';
import { gistOf } from './gist.ts';
import type { Given } from './intake.ts';
import { progressView } from './progress-view.ts';
import { recentChecks } from './recent-checks.ts';
import { rememberChecks } from './remember-checks.ts';
import { settledCheck } from './settled-check.ts';

/** What the check page remembers while its reader looks at another page or changes the language. */
export interface CheckState {
  readonly draft: CheckDraft;
  checks: readonly QueuedCheck[];
  shown: QueuedCheck | null;
  /** What was checked in this tab, the newest first. */
  recent: readonly QueuedCheck[];
}

/** The page of its two readers: one who is unsure about a link, and the analyst behind them. */
export interface CheckView {
  readonly element: HTMLElement;
  /** Puts the cursor where typing begins. */
  focus(): void;
  /** Shows the draft after it was changed from outside. */
  refresh(): void;
  /** Reads what was dropped on the page, or pasted beside the box. */
  take(given: Given): void;
  stop(): void;
  /** What is to be told of it in a few words, such as the verdict; empty where there is nothing yet. It names no link. */
  gist(): string;
}

/** Builds the page from its state; `told` is called whenever there is another gist. */
export function checkView(state: CheckState, locale: Locale, settings: PageSettings, told: () => void): CheckView {
  const { say } = locale;
  let running: AbortController | null = null;
  let batch: BatchList | null = null;
  const form = checkForm(state.draft, locale, settings, (links) => void run(links, state.draft));
  const progress = progressView(locale, stop);
  const recent = recentChecks(locale, open);
  const batchPlace = html('div', {});
  const resultPlace = html('div', {});
  const spoken = html('p', { class: 'visually-hidden', role: 'status' });
  const element = pageOf(say, form.element, [spoken, progress.element, batchPlace, resultPlace, recent.element]);

  async function run(links: readonly MessageLink[], choices: CheckChoices): Promise<void> {
    stop();
    const control = new AbortController();
    running = control;
    state.checks = links.map((link) => queuedCheck(link, choices));
    state.shown = null;
    showBatch();
    showResult();
    showRecent();
    form.setRunning(true);
    progress.show(state.checks);
    const watcher = {
      changed(check: QueuedCheck) {
        if (running !== control) return;
        progress.show(state.checks);
        batch?.changed(check);
        told();
      },
      waiting: progress.showWait,
    };
    await runChecks(state.checks, watcher, control.signal);
    if (running !== control) return;
    running = null;
    state.recent = rememberChecks(state.recent, state.checks);
    form.setRunning(false);
    progress.hide();
    showRecent();
    const [only] = state.checks;
    if (state.checks.length === 1 && only) open(only);
    else batchPlace.querySelector('h2')?.focus();
    told();
  }

  function showRecent(): void {
    recent.show(state.recent, state.checks);
  }

  function stop(): void {
    running?.abort();
  }

  function open(check: QueuedCheck): void {
    state.shown = check;
    showResult();
    batch?.mark(check);
    told();
    const heading = resultPlace.querySelector('h2');
    heading?.focus({ preventScroll: true });
    resultPlace.scrollIntoView({ block: 'start' });
    if (!check.result) return;
    const look = lookOf({ result: check.result, mismatch: check.link.mismatch });
    spoken.textContent = say('check.done', { decision: say(`decision.${look}`) });
  }

  function showBatch(): void {
    batch = state.checks.length > 1 ? batchList(state.checks, locale, open) : null;
    batch?.mark(state.shown);
    replaceChildren(batchPlace, batch?.element);
  }

  function showResult(): void {
    const { shown } = state;
    spoken.textContent = '';
    replaceChildren(
      resultPlace,
      shown && batchSteps(batch?.readable() ?? [], shown, locale, open),
      shown && settledCheck(shown, locale, settings, () => void run([shown.link], shown)),
    );
  }

  showBatch();
  showResult();
  showRecent();
  return {
    element,
    focus: () => form.box.focus(),
    refresh: form.refresh,
    take: form.take,
    stop,
    gist: () => (running ? say('check.running') : gistOf(state, locale)),
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
