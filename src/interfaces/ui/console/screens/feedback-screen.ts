import type { FeedbackItem, FeedbackPage } from '#src/service/server/admin/answers/feedback-answer.ts';
import { type Child, html } from '../../elements/dom.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { paged } from '../elements/paged.ts';
import { hrefOfScreen } from '../screen-route.ts';
import { feedbackCard } from './feedback-card.ts';
import { queueKeys } from './queue-keys.ts';

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
    const { value } = await api.read<FeedbackPage>(
      routeAddress(['admin', 'feedback'], { state, limit: '50', cursor }),
      leaving,
    );
    return { items: value.items, next: value.next_cursor };
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
