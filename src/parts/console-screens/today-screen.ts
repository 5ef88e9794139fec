import { type Child, html } from '#src/interfaces/ui/elements/dom.ts';
import { filled } from '#src/interfaces/ui/elements/filled.ts';
import { foreign, literal } from '#src/interfaces/ui/elements/literal.ts';
import { retentionWords } from '#src/interfaces/ui/elements/retention-words.ts';
import { facts } from '#src/interfaces/ui/result/facts.ts';
import { preference } from '#src/interfaces/ui/shell/preference.ts';
import type { NodeRow } from '#src/parts/console/answers/console-answers.ts';
import type { ShownCondition, Status } from '#src/parts/console/answers/status-answer.ts';
import type { Items } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { timeAgo } from '#src/parts/console-elements/elements/dates.ts';
import { loadedFrom, section } from '#src/parts/console-elements/elements/section.ts';
import { hrefOfScreen, type ScreenName } from '#src/parts/console-elements/screen-route.ts';
import { activityPart } from './today/activity-part.ts';
import { livePart } from './today/live-part.ts';

const dismissed = preference('steps');

const WAYS: Readonly<Record<string, ScreenName>> = { own_brand: 'brands', backup: 'backups' };

/**
 * Lists the unfinished steps of a first installation, folded; nothing if all are done, the reader may do none, or the
 * list was hidden.
 */
function firstSteps({ checklist }: Status, { tell, locale, may }: ConsoleParts): Child {
  const open = checklist.filter(({ done }) => !done);
  if (open.length === 0 || !may() || dismissed.read() !== null) return null;
  const line = ({ code, done }: Status['checklist'][number]) => {
    const to = WAYS[code];
    const words = tell.maybe(`checklist.${code}`, code);
    const mark = html('span', {
      class: 'mark-done',
      role: 'img',
      'aria-label': tell(done ? 'checklist.done' : 'checklist.open'),
    });
    return html(
      'li',
      { class: done ? 'is-done' : null },
      mark,
      html(
        'span',
        {},
        to ? html('a', { href: hrefOfScreen(to) }, words) : words,
        !done && html('span', { class: 'note' }, tell.maybe(`checklist.${code}.how`, '')),
      ),
    );
  };
  const hide = () => {
    dismissed.write('hidden');
    part.remove();
  };
  const part = html(
    'details',
    { class: 'card steps' },
    html(
      'summary',
      {},
      tell('checklist'),
      html('span', { class: 'note' }, ' ', tell('checklist.left', { count: locale.format.number(open.length) })),
    ),
    html('ul', { class: 'checklist' }, checklist.map(line)),
    html('div', { class: 'buttons' }, html('button', { type: 'button', click: hide }, tell('checklist.dismiss'))),
  );
  return part;
}

/** State of the service in words, and what is to be done. */
export function todayScreen(parts: ConsoleParts): Child {
  return loadedFrom<Status>(parts, 'api/admin/status', (status) => [
    healthPart(status, parts),
    activityPart(parts),
    livePart(parts),
    status.nodes !== null && parts.may() && nodePart(parts),
    activePart(status, parts),
    firstSteps(status, parts),
  ]);
}

/** Screens on which a notice is resolved. */
const REMEDIES: Readonly<Record<string, ScreenName>> = {
  backup_failed: 'backups',
  backup_old: 'backups',
  key_expires: 'keys',
  feed_not_pulled: 'keys',
  list_stale: 'lists',
  list_source_failed: 'lists',
  model_old: 'models',
  gate_watching: 'gate',
  gate_unexamined: 'gate',
  milter_unexamined: 'gate',
  keys_unusable: 'keys',
  lists_unusable: 'lists',
  named_list_unusable: 'lists',
  brands_unusable: 'brands',
  model_unusable: 'models',
};

function healthPart(status: Status, parts: ConsoleParts): HTMLElement {
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

const wayTo = (screen: ScreenName, words: Child) => html('a', { href: hrefOfScreen(screen) }, words);

function activePart(status: Status, { locale, tell, may }: ConsoleParts): HTMLElement {
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

/** The nodes of a fleet with their heartbeats and what waits on them. */
function nodePart(parts: ConsoleParts): Child {
  const { tell, locale } = parts;
  const { format } = locale;
  return section(
    tell('screen.fleet'),
    loadedFrom<Items<NodeRow>>(parts, 'api/admin/nodes', ({ items }) =>
      html(
        'ul',
        { class: 'plain nodes' },
        items.map(({ name, is_alive: isAlive, seen_at, waiting, set_aside: refused, differs }) =>
          html(
            'li',
            { class: isAlive && differs.length === 0 && refused === 0 ? 'is-well' : 'is-ill' },
            literal(name, 'mono'),
            html('span', { class: 'note' }, timeAgo(seen_at, locale)),
            waiting > 0 && html('span', { class: 'note' }, `${tell('fleet.waiting')}: ${format.number(waiting)}`),
            differs.length > 0 &&
              html(
                'span',
                { class: 'note' },
                `${tell('fleet.differs')}: ${differs.map((one) => tell.maybe(`differs.${one}`, one)).join(', ')}`,
              ),
          ),
        ),
      ),
    ),
    html('p', {}, html('a', { href: hrefOfScreen('fleet') }, tell('screen.fleet'))),
  );
}
