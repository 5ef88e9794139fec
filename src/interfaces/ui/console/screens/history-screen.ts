import { type Child, html } from '../../elements/dom.ts';
import { filterForm } from '../../history/history-filter.ts';
import { historyList } from '../../history/history-list.ts';
import { CONSOLE_FILTERS, filterIn, queryOf } from '../../history/history-query.ts';
import { csvButton } from '../../history/history-view.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { checkSource } from '../rows/check-source.ts';
import { originFields } from '../rows/origin-fields.ts';
import { hrefOfScreen } from '../screen-route.ts';

/** The public log, or with its scope the private one, with what can be done about a site. */
export function historyScreen(parts: ConsoleParts): Child {
  const { locale, tell, settings, leaving, filter: route, may } = parts;
  const { log, ...rest } = route;
  const isPrivate = may('history.private') && (log === 'private' || !may('history'));
  const chosen: Readonly<Record<string, string>> = isPrivate ? { log: 'private' } : {};
  const filter = filterIn(rest, CONSOLE_FILTERS);
  const query = queryOf(filter);
  const go = (to: Readonly<Record<string, string>>) => {
    location.hash = hrefOfScreen('history', '', to);
  };
  const source = checkSource(isPrivate ? 'private' : 'public', parts);
  return [
    may('history') && may('history.private') && logChoice(isPrivate, parts, go),
    filterForm(locale.say, filter, (set) => go({ ...chosen, ...set }), originFields(filter, parts)),
    csvButton(query, locale, source.load, leaving),
    html('h2', { class: 'note' }, tell(isPrivate ? 'history.private.lead' : 'history.public.lead')),
    historyList(query, locale, settings, leaving, source),
  ];
}

function logChoice(isPrivate: boolean, { tell, locale }: ConsoleParts, go: (filter: Record<string, string>) => void) {
  const option = (name: 'public' | 'private') => {
    const isChosen = (name === 'private') === isPrivate;
    const choose = () => go(name === 'private' ? { log: name } : {});
    return html(
      'button',
      { type: 'button', 'aria-pressed': String(isChosen), click: choose },
      locale.say(`check.${name}`),
    );
  };
  return html(
    'div',
    { class: 'toggle', role: 'group', 'aria-label': tell('history.log') },
    option('public'),
    option('private'),
  );
}
