import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import { foreign, literal } from '#src/interfaces/ui/elements/literal.ts';
import { historyLine } from '#src/interfaces/ui/history/history-line.ts';
import { routeAddress } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { action, returnFocus } from '#src/parts/console-elements/elements/action.ts';
import { dateOf, endOfLocalDay, timeAgo } from '#src/parts/console-elements/elements/dates.ts';
import { consoleForm } from '#src/parts/console-elements/elements/form.ts';
import { previewIn } from '#src/parts/console-elements/elements/preview.ts';
import { paged } from '#src/parts/console-elements/elements/section.ts';
import { checkSource } from '#src/parts/console-elements/rows/check-source.ts';
import { hrefOfScreen } from '#src/parts/console-elements/screen-route.ts';
import type { FeedbackItem, FeedbackPage } from '#src/service/server/admin/operator-answers.ts';
import type { ChangePreview } from '#src/service/server/admin/preview-answer.ts';

/** Keys that press a button of the current item, by the `data-key` of the button. */
const BUTTON_KEYS = ['a', 'r', 'u'];

/** Moves through the items of a list with J and K, and presses what they offer by their keys. */
function queueKeys(list: HTMLElement, leaving: AbortSignal) {
  const items = () => [...list.children].filter((one): one is HTMLElement => one instanceof HTMLElement);
  const current = () => items().find((item) => item.contains(document.activeElement)) ?? null;

  function move(by: number): void {
    const all = items();
    const item = current();
    const at = item === null ? (by > 0 ? 0 : all.length - 1) : all.indexOf(item) + by;
    all[Math.max(0, Math.min(all.length - 1, at))]?.focus();
  }

  const onKey = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof Element && target.matches('input, select, textarea, dialog *');
    if (isTyping || ctrlKey || metaKey || altKey) return;
    const pressed = key.toLowerCase();
    if (pressed === 'j') move(1);
    else if (pressed === 'k') move(-1);
    else if (BUTTON_KEYS.includes(pressed))
      current()?.querySelector<HTMLElement>(`[data-key="${pressed}"] button`)?.click();
    else return;
    event.preventDefault();
  };
  window.addEventListener('keydown', onKey, { signal: leaving });
  return {
    /** Takes an item out; the next one gets the focus. */
    leave(item: HTMLElement) {
      const all = items();
      const next = all[all.indexOf(item) + 1] ?? all[all.indexOf(item) - 1];
      item.remove();
      next?.focus();
    },
  };
}

const STATES = ['waiting', 'accepted', 'rejected'] as const;

/** Builds the queue of feedback, which is operated with the keyboard or the pointer. */
export function feedbackScreen(parts: ConsoleParts): Child {
  const { tell, api, leaving, filter } = parts;
  const state = STATES.find((one) => one === filter['state']) ?? 'waiting';
  const list = html('ol', { class: 'queue' });
  const none = html('p', { class: 'card', tabindex: -1 }, tell(`feedback.none.${state}`));
  const queue = queueKeys(list, leaving);
  const settled = (card: HTMLElement) => {
    queue.leave(card);
    none.hidden = list.childElementCount > 0;
    if (!none.hidden) none.focus();
  };
  const add = (items: readonly FeedbackItem[]) => {
    list.append(...items.map((item) => feedbackCard(item, parts, settled)));
    none.hidden = list.childElementCount > 0;
  };
  const load = async (cursor: string | null) => {
    const path = routeAddress(['admin', 'feedback'], { state, limit: '50', cursor });
    const { items, next_cursor: next } = await api.read<FeedbackPage>(path, leaving);
    return { items, next };
  };
  const states = STATES.map((one) =>
    html(
      'a',
      {
        class: 'button',
        href: hrefOfScreen('feedback', '', { state: one }),
        'aria-current': one === state ? 'page' : null,
      },
      tell(`feedback.${one}`),
    ),
  );
  return [
    html('div', { class: 'toggle', role: 'group', 'aria-label': tell('feedback.state') }, states),
    state === 'waiting' && html('p', { class: 'note keys' }, keysHelp(parts)),
    paged(parts, load, { element: html('div', {}, none, list), add }),
  ];
}

/** Lists the keys of the queue. */
function keysHelp({ tell }: ConsoleParts): Child {
  const keys = [
    ['J', 'feedback.key.next'],
    ['K', 'feedback.key.previous'],
    ['A', 'feedback.key.accept'],
    ['R', 'feedback.key.reject'],
  ] as const;
  return [tell('feedback.keys'), keys.map(([key, does]) => [' ', html('kbd', {}, key), ' ', tell(does)])];
}

/** Shows feedback, its check, and the possible decisions. */
function feedbackCard(item: FeedbackItem, parts: ConsoleParts, settled: (card: HTMLElement) => void): HTMLElement {
  const { tell, locale } = parts;
  const { url, verdict, comment, check, created_at, entry } = item;
  const place = html('div', { class: 'in-place' });
  const done = () => settled(card);
  const card = html(
    'li',
    { class: 'card', tabindex: -1 },
    html('h2', {}, literal(url, 'mono')),
    html('p', { class: 'note' }, html('strong', {}, tell(`feedback.${verdict}`)), ' · ', timeAgo(created_at, locale)),
    comment && html('blockquote', {}, foreign(comment)),
    check
      ? html(
          'ol',
          { class: 'history-list', 'aria-label': tell('feedback.checked') },
          historyLine(check, locale, parts.settings.baseRate, { ...checkSource('public', parts), actions: () => null }),
        )
      : html('p', { class: 'note' }, tell('feedback.noCheck')),
    entry !== null && html('p', { class: 'note' }, tell('entry'), ': ', literal(entry, 'mono')),
    html('div', { class: 'buttons' }, answers(item, parts, place, done)),
    place,
  );
  return card;
}

function settle(item: FeedbackItem, body: object, { api }: ConsoleParts, preview = false) {
  const path = routeAddress(['admin', 'feedback', String(item.id)], { preview });
  return api.change<{ readonly preview?: ChangePreview } | null>({ method: 'PATCH', path, body, etag: item.etag });
}

function answers(item: FeedbackItem, parts: ConsoleParts, place: HTMLElement, done: () => void): HTMLElement[] {
  const { tell } = parts;
  const keyed = (key: string, button: HTMLElement) => {
    button.dataset['key'] = key;
    return button;
  };
  const to = (state: 'rejected' | 'waiting') => async () => {
    await settle(item, { state }, parts);
    parts.note(tell(`feedback.now.${state}`), ' ', wayBack(state, parts));
    done();
  };
  if (item.state !== 'waiting')
    return [keyed('u', action({ label: tell('feedback.undo'), run: to('waiting') }, parts))];
  const open = async () => {
    const giveBack = returnFocus();
    const close = () => {
      replaceChildren(place);
      giveBack();
    };
    const form = acceptForm(item, parts, done, close);
    replaceChildren(place, form);
    form.querySelector('input')?.focus();
  };
  return [
    keyed('a', action({ label: tell('feedback.accept'), isPrimary: true, run: open }, parts)),
    keyed('r', action({ label: tell('feedback.reject'), run: to('rejected') }, parts)),
  ];
}

/** Links to feedback of a state, where it can be decided again. */
function wayBack(state: FeedbackItem['state'], { tell }: ConsoleParts): HTMLElement {
  return html('a', { href: hrefOfScreen('feedback', '', { state }) }, tell(`feedback.${state}`));
}

function acceptForm(item: FeedbackItem, parts: ConsoleParts, done: () => void, cancel: () => void): HTMLElement {
  const { tell } = parts;
  return consoleForm(
    {
      id: `feedback-${item.id}`,
      lead: tell(item.verdict === 'malicious' ? 'feedback.willBlock' : 'feedback.willAllow'),
      fields: [
        { name: 'entry', label: tell('entry'), value: item.default_entry ?? '', isRequired: true, isWide: true },
        {
          name: 'expires',
          kind: 'date',
          label: tell('expires'),
          value: dateOf(item.default_expires),
          hint: tell('expires.hint'),
        },
      ],
      submit: tell('preview.show'),
      cancel,
      async send(entered, result, sent) {
        const body = {
          state: 'accepted',
          entry: entered.text('entry'),
          expires: endOfLocalDay(entered.text('expires')),
        };
        const ask = (preview: boolean) => settle(item, body, parts, preview);
        const accepted = () => {
          sent();
          parts.note(tell('done'), ' ', wayBack('accepted', parts));
          done();
        };
        await previewIn(result, { ask, done: accepted }, parts);
      },
    },
    parts,
  );
}
