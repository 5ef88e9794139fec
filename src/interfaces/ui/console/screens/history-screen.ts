import { type Child, html } from '../../elements/dom.ts';
import { filterForm } from '../../history/history-filter.ts';
import { historyList } from '../../history/history-list.ts';
import { CONSOLE_FILTERS, filterIn, queryOf } from '../../history/history-query.ts';
import { csvButton } from '../../history/history-view.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { checkSource } from '../rows/check-source.ts';
import { originFields } from '../rows/origin-fields.ts';
import { hrefOfScreen } from '../screen-route.ts';
import { messageList } from './message-list.ts';

/** The public log, or with its scope the private one, with what can be done about a site. */
export function historyScreen(parts: ConsoleParts): Child {
  const { locale, tell, settings, leaving, filter: route, may } = parts;
  const { log, kind, ...rest } = route;
  const isPrivate = may('history.private') && (log === 'private' || !may('history'));
  const isOfMessages = kind === 'message';
  const chosen: Readonly<Record<string, string>> = {
    ...(isPrivate && { log: 'private' }),
    ...(isOfMessages && { kind: 'message' }),
  };
  const filter = filterIn(rest, CONSOLE_FILTERS);
  const query = queryOf(filter);
  const go = (to: Readonly<Record<string, string>>) => {
    const set = Object.entries(to).filter(([, value]) => value !== '');
    location.hash = hrefOfScreen('history', '', Object.fromEntries(set));
  };
  const visibility = isPrivate ? 'private' : 'public';
  const source = checkSource(visibility, parts);
  const lead = html('h2', { class: 'note' }, tell(isPrivate ? 'history.private.lead' : 'history.public.lead'));
  const choices = [
    may('history') &&
      may('history.private') &&
      toggle(tell('history.log'), Number(isPrivate), [
        [locale.say('check.public'), () => go({ ...chosen, log: '' })],
        [locale.say('check.private'), () => go({ ...chosen, log: 'private' })],
      ]),
    toggle(tell('history.kind'), Number(isOfMessages), [
      [tell('history.kind.url'), () => go({ ...chosen, kind: '' })],
      [tell('history.kind.message'), () => go({ ...chosen, kind: 'message' })],
    ]),
  ];
  if (isOfMessages) return [choices, lead, messageList({}, visibility, parts)];
  return [
    choices,
    filterForm(locale.say, filter, (set) => go({ ...chosen, ...set }), originFields(filter, parts)),
    csvButton(query, locale, source.load, leaving),
    lead,
    historyList(query, locale, settings, leaving, source),
  ];
}

/** Buttons of which one is chosen. */
function toggle(label: string, chosen: number, options: readonly (readonly [words: string, choose: () => void])[]) {
  return html(
    'div',
    { class: 'toggle', role: 'group', 'aria-label': label },
    options.map(([words, choose], at) =>
      html('button', { type: 'button', 'aria-pressed': String(at === chosen), click: choose }, words),
    ),
  );
}
