import { decisionChip } from '../../elements/decision-chip.ts';
import { type Child, html } from '../../elements/dom.ts';
import { filled } from '../../elements/filled.ts';
import { foreign } from '../../elements/foreign.ts';
import { literal } from '../../elements/literal.ts';
import { retentionWords } from '../../elements/retention-words.ts';
import { facts } from '../../result/facts.ts';
import type { ShownCondition, ShownStatus } from '../api/shapes.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { timeAgo } from '../elements/dates.ts';
import { loaded, section } from '../elements/section.ts';
import { hrefOfScreen, type ScreenName } from '../screen-route.ts';

/** State of the service in words, and what is to be done. */
export function todayScreen(parts: ConsoleParts): Child {
  const status = parts.api.read<ShownStatus>('api/admin/status', parts.leaving);
  return loaded(
    parts,
    status.then(({ value }) => value),
    (value) => [
      healthPart(value, parts),
      checklistPart(value, parts),
      countedPart(value, parts),
      activePart(value, parts),
    ],
  );
}

/** Where something is done about a notice. */
const REMEDIES: Readonly<Record<string, ScreenName>> = {
  backup_failed: 'backups',
  backup_old: 'backups',
  key_expires: 'keys',
  feed_not_pulled: 'keys',
  list_stale: 'lists',
  list_source_failed: 'lists',
  model_old: 'models',
  gate_watching: 'gate',
};

function healthPart(status: ShownStatus, parts: ConsoleParts): HTMLElement {
  const { health, conditions, version, started_at, feedback_waiting, checklist } = status;
  const { tell, locale, may } = parts;
  const { state } = health;
  const waiting = tell('today.waiting', { count: locale.format.number(feedback_waiting) });
  const todo = [
    ...conditions.map((condition) => conditionLine(condition, parts)),
    ...(feedback_waiting > 0 ? [may('feedback') ? wayTo('feedback', waiting) : waiting] : []),
  ];
  const look = ({ ready: 'allow', degraded: 'warn', failed: 'block' } as const)[state];
  return html(
    'section',
    { class: `card health ${look}` },
    html('h2', {}, tell(`health.${state}`)),
    html(
      'p',
      { class: 'note' },
      literal(`lurecheck ${version}`),
      ' · ',
      tell('health.since', { date: locale.format.moment(started_at) }),
    ),
    todo.length > 0
      ? html(
          'ul',
          { class: 'notices' },
          todo.map((line) => html('li', {}, line)),
        )
      : checklist.every(({ done }) => done) && html('p', {}, tell('today.nothing')),
  );
}

/** A condition in the reader's language, since when it exists, and what to do about it. */
function conditionLine({ code, since, args, message, remedy }: ShownCondition, parts: ConsoleParts): Child {
  const { tell, locale } = parts;
  const screen = REMEDIES[code];
  const own = tell.maybe(`condition.${code}`, '');
  const words =
    own === ''
      ? html('span', { lang: 'en' }, foreign(message), remedy && html('span', { class: 'remedy' }, foreign(remedy)))
      : html(
          'span',
          {},
          filled(own, (name) => foreign(String(args[name] ?? ''))),
        );
  const mayOpen = screen && parts.may(...(screen === 'lists' || screen === 'gate' ? ['lists'] : []));
  return [
    words,
    html('span', { class: 'note' }, ' ', timeAgo(since, locale), ' '),
    mayOpen && wayTo(screen, tell(`screen.${screen}`)),
  ];
}

const wayTo = (screen: ScreenName, words: Child, filter: Readonly<Record<string, string>> = {}) =>
  html('a', { href: hrefOfScreen(screen, '', filter) }, words);

/** What a new service still lacks; nothing once all is done. */
function checklistPart({ checklist }: ShownStatus, { tell, may }: ConsoleParts): Child {
  if (checklist.length === 0 || checklist.every(({ done }) => done)) return null;
  const ways: Readonly<Record<string, ScreenName>> = { own_brand: 'brands', backup: 'backups' };
  const line = ({ code, done }: ShownStatus['checklist'][number]) => {
    const to = ways[code];
    const words = tell.maybe(`checklist.${code}`, code);
    const way = to && may() ? wayTo(to, words) : words;
    const mark = html('span', {
      class: 'mark-done',
      role: 'img',
      'aria-label': tell(done ? 'checklist.done' : 'checklist.open'),
    });
    return html(
      'li',
      { class: done ? 'is-done' : null },
      mark,
      html('span', {}, way, !done && html('span', { class: 'note' }, tell.maybe(`checklist.${code}.how`, ''))),
    );
  };
  return section(tell('checklist'), html('ul', { class: 'checklist' }, checklist.map(line)));
}

/** Days of the service begin at midnight UTC. */
function countedPart({ checks }: ShownStatus, { locale, tell, may }: ConsoleParts): HTMLElement {
  const { say, format } = locale;
  const midnight = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
  const figure = (count: number, words: Child, filter: Readonly<Record<string, string>>) => {
    const shown = format.number(count);
    const link = may('history') && count > 0 ? wayTo('history', shown, { from: midnight, ...filter }) : shown;
    return html('div', { class: 'figure' }, html('dd', {}, link), html('dt', {}, words));
  };
  return section(
    tell('today.checks'),
    html('p', { class: 'note' }, tell('since', { date: format.moment(midnight) })),
    html(
      'dl',
      { class: 'figures' },
      figure(checks.today, tell('today.all'), {}),
      (['block', 'warn', 'allow'] as const).map((decision) =>
        figure(checks.by_decision[decision], decisionChip(decision, say), { decision }),
      ),
    ),
    html('h3', {}, tell('today.coverage')),
    html(
      'dl',
      { class: 'figures small' },
      (['full', 'partial', 'url_only'] as const).map((coverage) =>
        html(
          'div',
          { class: 'figure' },
          html('dd', {}, format.number(checks.by_coverage[coverage])),
          html('dt', {}, tell(`coverage.${coverage}`)),
        ),
      ),
    ),
  );
}

function activePart(status: ShownStatus, { locale, tell, may }: ConsoleParts): HTMLElement {
  const { format } = locale;
  const { storage, model, lists, packs, nodes, last_backup } = status;
  const aged = (name: Child, rest: string, at: string | null) =>
    html('li', {}, name, html('span', { class: 'note' }, [rest, at && ' · ', at && timeAgo(at, locale)]));
  const listName = (name: string) =>
    may('lists') ? html('a', { href: hrefOfScreen('lists', name) }, literal(name, 'mono')) : literal(name, 'mono');
  const used = storage.bytes === null ? '' : format.bytes(storage.bytes);
  const free = tell('today.free', { size: format.bytes(storage.free_bytes) });
  const kept = retentionWords(storage.retention, locale);
  return section(
    tell('today.active'),
    facts(
      [
        tell('today.model'),
        [literal(model.version, 'mono'), ' ', html('span', { class: 'note' }, format.date(model.published_at))],
      ],
      [
        tell('screen.lists'),
        lists.length === 0
          ? tell('none')
          : html(
              'ul',
              { class: 'plain' },
              lists.map(({ name, entries, updated_at }) =>
                aged(listName(name), tell('entries', { count: format.number(entries) }), updated_at),
              ),
            ),
      ],
      packs.length === 0
        ? null
        : [
            tell('packs'),
            html(
              'ul',
              { class: 'plain' },
              packs.map(({ name, version, publisher }) => aged(literal(`${name} ${version}`, 'mono'), publisher, null)),
            ),
          ],
      [tell('today.storage'), [[used, free].filter(Boolean).join(' · '), kept && html('p', { class: 'note' }, kept)]],
      [
        tell('today.backup'),
        last_backup
          ? [timeAgo(last_backup.created_at, locale), ' · ', literal(last_backup.name, 'mono')]
          : tell('today.noBackup'),
      ],
      nodes === null ? null : [tell('screen.fleet'), format.number(nodes)],
    ),
  );
}
