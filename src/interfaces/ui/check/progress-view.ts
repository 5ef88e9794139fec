import { type Refusal, requestAbout } from '../api/api.ts';
import { ownLimit } from '../api/own-limit.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { foreign } from '../elements/literal.ts';
import type { Locale } from '../shell/locale.ts';
import { minutesFor } from './check-kind.ts';
import type { QueuedCheck } from './check-queue.ts';

/** Stages of a single check with their times, or the count of many; `stop` ends them. */
export function progressView(locale: Locale, stop: () => void) {
  const { say, format } = locale;
  const announced = html('p', { class: 'progress-title', role: 'status' });
  // Screen readers must not announce a countdown, so the seconds are in an element of their own.
  const reason = html('span', { role: 'status' });
  const countdown = html('span', { role: 'timer' });
  const wait = html('p', { class: 'wait' }, reason, ' ', countdown);
  const contact = limitContact(locale);
  const stages = html('ul', { class: 'stages' });
  const left = html('p', { class: 'muted time-left' });
  let limit: number | null = null;
  const bar = html('progress', { max: 1, 'aria-label': say('check.running') });
  const element = html(
    'section',
    { class: 'progress', hidden: true, 'aria-label': say('check.running') },
    html(
      'div',
      { class: 'progress-head' },
      announced,
      html('button', { type: 'button', click: stop }, say('check.stop')),
    ),
    bar,
    left,
    wait,
    contact.element,
    stages,
  );
  let ticking: ReturnType<typeof setInterval> | undefined;

  function stopWaiting(): void {
    clearInterval(ticking);
    reason.textContent = '';
    countdown.textContent = '';
    contact.hide();
  }

  return {
    element,
    show(checks: readonly QueuedCheck[]) {
      const settled = checks.filter(({ state }) => state !== 'waiting' && state !== 'running').length;
      const [only] = checks;
      if (element.hidden) {
        left.textContent = '';
        if (checks.length > 1) void ownLimit().then((own) => (limit = own));
      }
      element.hidden = false;
      if (checks.length < 2) {
        announce(announced, say('check.running'));
        bar.removeAttribute('value');
        replaceChildren(stages, only && stageLines(only));
      } else {
        announce(
          announced,
          say('check.running.of', { done: format.number(settled), total: format.number(checks.length) }),
        );
        bar.value = settled / checks.length;
        const minutes = limit === null ? 0 : minutesFor(checks.length - settled, limit);
        announce(left, minutes > 0 ? say.count('check.left', minutes) : '');
        replaceChildren(stages);
      }
    },
    showWait(refusal: Refusal, untilMs: number) {
      stopWaiting();
      reason.textContent = say(refusal.status === 429 ? 'check.waiting' : 'check.busy');
      if (refusal.status === 429) contact.show();
      const tick = () => {
        const seconds = Math.ceil((untilMs - Date.now()) / 1000);
        if (seconds > 0) countdown.textContent = say.count('check.resume', seconds);
        else stopWaiting();
      };
      tick();
      ticking = setInterval(tick, 1000);
    },
    hide() {
      stopWaiting();
      element.hidden = true;
    },
  };

  function stageLines(check: QueuedCheck): HTMLElement[] {
    return [...check.stages.values()].map(({ stage, state, elapsed_seconds }) =>
      html(
        'li',
        { class: state },
        html('span', {}, say.maybe(`stage.${stage}`, stage)),
        html('span', { class: 'time' }, state === 'finished' ? format.seconds(elapsed_seconds) : ''),
      ),
    );
  }
}

/** A live region is read out again whenever it is written to, even with the same words. */
function announce(region: HTMLElement, text: string): void {
  if (region.textContent !== text) region.textContent = text;
}

/**
 * Builds the contact line. It asks the service once, at the first wait, and stays hidden if the operator names no
 * contact.
 */
function limitContact({ say }: Locale) {
  const element = html('p', { class: 'muted', hidden: true });
  let asked: Promise<string | null> | null = null;
  let isWaiting = false;

  async function tell(): Promise<void> {
    asked ??= requestAbout().then(
      ({ contact }) => contact,
      () => null,
    );
    const contact = await asked;
    if (contact === null || !isWaiting) return;
    replaceChildren(
      element,
      filled(say('check.waiting.contact'), () => foreign(contact)),
    );
    element.hidden = false;
  }

  return {
    element,
    show() {
      isWaiting = true;
      void tell();
    },
    hide() {
      isWaiting = false;
      element.hidden = true;
    },
  };
}
