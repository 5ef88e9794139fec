import type { FeedbackItem } from '#src/service/server/admin/answers/feedback-answer.ts';
import type { ChangePreview } from '#src/service/server/admin/answers/preview-answer.ts';
import { html, replaceChildren } from '../../elements/dom.ts';
import { foreign, literal } from '../../elements/literal.ts';
import { historyLine } from '../../history/history-line.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { action } from '../elements/action.ts';
import { dateOf, endOfLocalDay, timeAgo } from '../elements/dates.ts';
import { consoleForm } from '../elements/form.ts';
import { previewIn } from '../elements/preview.ts';
import { returnFocus } from '../elements/return-focus.ts';
import { checkSource } from '../rows/check-source.ts';
import { hrefOfScreen } from '../screen-route.ts';

/** Shows feedback, its check, and the possible decisions. */
export function feedbackCard(
  item: FeedbackItem,
  parts: ConsoleParts,
  settled: (card: HTMLElement) => void,
): HTMLElement {
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
