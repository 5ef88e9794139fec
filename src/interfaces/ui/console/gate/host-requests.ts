import { type Child, html } from '../../elements/dom.ts';
import { historyList } from '../../history/history-list.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { checkSource } from '../rows/check-source.ts';
import { hrefOfScreen } from '../screen-route.ts';
import { hostActions } from '../screens/site-actions.ts';

/** The requests for a host that the gate held or would have held, as rows of the history. */
export function hostRequests(parts: ConsoleParts): Child {
  const { tell, locale, settings, leaving, subject, filter, may } = parts;
  const { via = 'gate', ...range } = filter;
  const back = html('p', {}, html('a', { href: hrefOfScreen('gate', '', range) }, tell('gate.all')));
  const acts = may('lists') && html('div', { class: 'buttons' }, hostActions(subject, ['allow', 'block'], parts));
  if (!may('history.private')) return [back, acts, html('p', { class: 'card' }, tell('trouble.forbidden_scope'))];
  return [
    back,
    html('h2', { class: 'note' }, tell('gate.requestsOf')),
    acts,
    historyList({ domain: subject, via }, locale, settings, leaving, checkSource('private', parts)),
  ];
}
