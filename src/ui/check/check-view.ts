import type { MessageLink } from '#src/message/message-link.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import { refusalText } from '../elements/refusal-text.ts';
import { resultView } from '../result/result-view.ts';
import { lookOf } from '../result/shown-result.ts';
import type { Locale } from '../shell/locale.ts';
import type { PageSettings } from '../shell/page-settings.ts';
import { type BatchList, batchList } from './batch-list.ts';
import type { CheckDraft } from './check-draft.ts';
import { checkForm } from './check-form.ts';
import { type CheckChoices, type QueuedCheck, queuedCheck, runChecks } from './check-queue.ts';
import type { Given } from './intake.ts';
import { progressView } from './progress-view.ts';

/** What the check page remembers while its reader looks at another page or changes the language. */
export interface CheckState {
  readonly draft: CheckDraft;
  checks: readonly QueuedCheck[];
  shown: QueuedCheck | null;
}

/** The page of its two readers: one who is unsure about a link, and the analyst behind them. */
export interface CheckView {
  readonly element: HTMLElement;
  /** Puts the cursor where typing begins. */
  focus(): void;
  /** Shows the draft after it was changed from outside. */
  refresh(): void;
  /** Reads what was dropped on the page. */
  take(given: Given): void;
  stop(): void;
}

/** Builds the page from its state. */
export function checkView(state: CheckState, locale: Locale, settings: PageSettings): CheckView {
  const { say } = locale;
  let running: AbortController | null = null;
  let batch: BatchList | null = null;
  const form = checkForm(state.draft, locale, settings, (links) => void run(links, state.draft));
  const progress = progressView(locale, stop);
  const batchPlace = html('div', {});
  const resultPlace = html('div', {});
  const spoken = html('p', { class: 'visually-hidden', role: 'status' });
  const element = html(
    'div',
    { class: 'check-page' },
    html(
      'section',
      { class: 'ask', 'aria-labelledby': 'ask-title' },
      html('h1', { id: 'ask-title', tabindex: -1 }, say('check.title')),
      html('p', { class: 'lead' }, say('check.lead')),
      form.element,
    ),
    spoken,
    progress.element,
    batchPlace,
    resultPlace,
  );

  async function run(links: readonly MessageLink[], choices: CheckChoices): Promise<void> {
    stop();
    const control = new AbortController();
    running = control;
    state.checks = links.map((link) => queuedCheck(link, choices));
    state.shown = null;
    showBatch();
    showResult();
    form.setRunning(true);
    progress.show(state.checks);
    const watcher = {
      changed(check: QueuedCheck) {
        if (running !== control) return;
        progress.show(state.checks);
        batch?.changed(check);
      },
      waiting: progress.showWait,
    };
    await runChecks(state.checks, watcher, control.signal);
    if (running !== control) return;
    running = null;
    form.setRunning(false);
    progress.hide();
    const [only] = state.checks;
    if (state.checks.length === 1 && only) open(only);
    else batchPlace.querySelector('h2')?.focus();
  }

  function stop(): void {
    running?.abort();
  }

  function open(check: QueuedCheck): void {
    state.shown = check;
    showResult();
    const heading = resultPlace.querySelector('h2');
    heading?.focus({ preventScroll: true });
    resultPlace.scrollIntoView({ block: 'start' });
    if (!check.result) return;
    const look = lookOf({ result: check.result, mismatch: check.link.mismatch });
    spoken.textContent = say('check.done', { decision: say(`decision.${look}`) });
  }

  function showBatch(): void {
    batch = state.checks.length > 1 ? batchList(state.checks, locale, open) : null;
    replaceChildren(batchPlace, batch?.element);
  }

  function showResult(): void {
    const { shown } = state;
    spoken.textContent = '';
    if (shown?.result) {
      const again = () => void run([shown.link], shown);
      const { result, isPrivate, link } = shown;
      replaceChildren(resultPlace, resultView({ result, isPrivate, mismatch: link.mismatch }, locale, again));
    } else if (shown?.refusal) {
      const text = html('p', { class: 'complaint', role: 'alert' }, refusalText(shown.refusal, locale));
      replaceChildren(resultPlace, html('div', { class: 'card refusal' }, text));
    } else replaceChildren(resultPlace);
  }

  showBatch();
  showResult();
  return { element, focus: () => form.box.focus(), refresh: form.refresh, take: form.take, stop };
}
