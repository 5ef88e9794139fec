import type { DecidedBy } from '#src/checks/record/decided-by.ts';
import type { HistoryPage } from '#src/checks/record/history-page.ts';
import { inDisplayOrder } from '#src/checks/record/reasons/caution.ts';
import { type Child, html } from '#src/interfaces/ui/elements/dom.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import type { HistorySource } from '#src/interfaces/ui/history/history-source.ts';
import { facts } from '#src/interfaces/ui/result/facts.ts';
import { reasonLine } from '#src/interfaces/ui/result/reasons/reason-list.ts';
import type { ShownLog } from '#src/parts/console/answers/console-answers.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { loadedFrom } from '../elements/section.ts';
import { hrefOfScreen } from '../screen-route.ts';
import { ownerWords } from './list-owner.ts';
import { siteActions } from './site-actions.ts';

/** Number of characters of a client's hash that distinguish the clients of one log. */
const CLIENT_LENGTH = 12;

/** Returns where rows of checks come from in the console, and what each offers: one model for every screen. */
export function checkSource(visibility: ShownLog['visibility'], parts: ConsoleParts): HistorySource {
  const { api, may } = parts;
  const isPrivate = visibility === 'private';
  const log: Readonly<Record<string, string>> = isPrivate ? { log: 'private' } : {};
  const mayOpen = may('history', 'history.private');
  return {
    isPrivate,
    load: async (asked, signal) => {
      const query = new URLSearchParams({ ...asked, visibility });
      return await api.read<HistoryPage>(`api/admin/checks?${query}`, signal);
    },
    hrefOfSite: (domain) => hrefOfScreen('history', '', { ...log, domain }),
    actions: ({ url }) => (may('lists') ? siteActions(url, parts) : null),
    details({ request_id }) {
      if (!mayOpen) return null;
      const path = routeAddress(['admin', 'checks', request_id]);
      return loadedFrom<ShownLog>(parts, path, (check) => checkDetails(check, parts));
    },
  };
}

/** Why a check was decided as it was, by what, and how it came. */
function checkDetails({ result, client, delivered }: ShownLog, parts: ConsoleParts): Child {
  const { tell, locale } = parts;
  if (result === undefined) return html('p', { class: 'note' }, tell('row.unreadable'));
  const { reasons, via, decided_by, coverage, final_url, normalized_url } = result.analysis_details;
  return html(
    'div',
    { class: 'check-details' },
    facts(
      decided_by && [tell('row.decidedBy'), decidedWords(decided_by, parts)],
      via && [tell('row.via'), tell(`via.${via}`)],
      [tell('row.seen'), tell(`coverage.${coverage}`)],
      final_url === null || final_url === normalized_url ? null : [tell('row.landing'), literal(final_url, 'mono')],
      client === null ? null : [tell('row.client'), literal(client.slice(0, CLIENT_LENGTH), 'mono')],
      delivered ? null : [tell('state'), tell('row.undelivered')],
    ),
    html(
      'ol',
      { class: 'reasons' },
      inDisplayOrder(reasons).map((reason) => reasonLine(reason, locale)),
    ),
  );
}

/** Returns the list that decided, which leads to its screen, its entry, and whose list it is. */
export function decidedWords({ list, entry, source }: DecidedBy, parts: ConsoleParts): Child {
  if (list === null) return parts.tell('screen.lists');
  const name = literal(list, 'mono');
  const isShown = source !== 'setting' && parts.may('lists');
  return [
    isShown ? html('a', { href: hrefOfScreen('lists', list, entry === null ? {} : { search: entry }) }, name) : name,
    entry !== null && [': ', literal(entry, 'mono')],
    source !== null && [' · ', ownerWords({ owner: source, source: null }, parts)],
  ];
}
