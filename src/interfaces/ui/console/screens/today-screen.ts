import { decisionChip } from '../../elements/decision-chip.ts';
import { type Child, html } from '../../elements/dom.ts';
import { foreign } from '../../elements/foreign.ts';
import { literal } from '../../elements/literal.ts';
import { retentionWords } from '../../elements/retention-words.ts';
import { type Fact, facts } from '../../result/facts.ts';
import type { ShownStatus } from '../api/shapes.ts';
import type { ConsoleParts } from '../console-parts.ts';
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

function healthPart({ health, version, started_at }: ShownStatus, { tell, locale }: ConsoleParts): HTMLElement {
  const { state, notices } = health;
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
      tell('health.since', { date: locale.format.instant(started_at) }),
    ),
    notices.length > 0 &&
      html(
        'ul',
        { class: 'notices' },
        notices.map(({ text, remedy }) =>
          html('li', { lang: 'en' }, foreign(text), remedy && html('span', { class: 'remedy' }, foreign(remedy))),
        ),
      ),
  );
}

/** What a new service still lacks; nothing once all is done. */
function checklistPart({ checklist }: ShownStatus, { tell, may }: ConsoleParts): Child {
  if (checklist.length === 0 || checklist.every(({ done }) => done)) return null;
  const ways: Readonly<Record<string, ScreenName>> = { own_brand: 'brands', backup: 'backups' };
  const line = ({ code, done }: ShownStatus['checklist'][number]) => {
    const to = ways[code];
    const words = tell.maybe(`checklist.${code}`, code);
    const target = to && may() ? hrefOfScreen(to) : null;
    const way = target ? html('a', { href: target }, words) : words;
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

function countedPart({ checks, feedback_waiting }: ShownStatus, { locale, tell, may }: ConsoleParts): HTMLElement {
  const { say, format } = locale;
  const decisions = (['block', 'warn', 'allow'] as const).map((decision) =>
    html(
      'div',
      { class: 'figure' },
      html('dd', {}, format.number(checks.by_decision[decision])),
      html('dt', {}, decisionChip(decision, say)),
    ),
  );
  const coverage = Object.entries(checks.by_coverage).map(
    ([name, count]): Fact => [tell.maybe(`coverage.${name}`, name), format.number(count)],
  );
  const waiting = format.number(feedback_waiting);
  return section(
    tell('today.checks'),
    html(
      'dl',
      { class: 'figures' },
      html('div', { class: 'figure' }, html('dd', {}, format.number(checks.today)), html('dt', {}, tell('today.all'))),
      decisions,
      html(
        'div',
        { class: 'figure' },
        html(
          'dd',
          {},
          may('feedback') && feedback_waiting > 0 ? html('a', { href: hrefOfScreen('feedback') }, waiting) : waiting,
        ),
        html('dt', {}, tell('today.feedback')),
      ),
    ),
    coverage.length > 0 && html('h3', {}, tell('today.coverage')),
    coverage.length > 0 && facts(...coverage),
  );
}

function activePart(status: ShownStatus, { locale, tell }: ConsoleParts): HTMLElement {
  const { format } = locale;
  const { storage, model, lists, packs, nodes, last_backup } = status;
  const aged = (name: string, rest: string, at: string | null | undefined) =>
    html(
      'li',
      {},
      literal(name, 'mono'),
      html('span', { class: 'note' }, [rest, at ? format.since(at) : ''].filter(Boolean).join(' · ')),
    );
  const used = storage.bytes === null ? '' : format.bytes(storage.bytes);
  const free = tell('today.free', { size: format.bytes(storage.free_bytes) });
  const kept = retentionWords(storage.retention, locale);
  return section(
    tell('today.active'),
    facts(
      [tell('today.model'), html('ul', { class: 'plain' }, aged(model.version, '', model.published_at))],
      [
        tell('screen.lists'),
        lists.length === 0
          ? tell('none')
          : html(
              'ul',
              { class: 'plain' },
              lists.map(({ name, entries, updated_at }) =>
                aged(name, tell('entries', { count: format.number(entries) }), updated_at),
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
              packs.map(({ name, version, publisher }) => aged(`${name} ${version}`, publisher, null)),
            ),
          ],
      [tell('today.storage'), [[used, free].filter(Boolean).join(' · '), kept && html('p', { class: 'note' }, kept)]],
      [
        tell('today.backup'),
        last_backup
          ? [format.since(last_backup.created_at), ' · ', literal(last_backup.name, 'mono')]
          : tell('today.noBackup'),
      ],
      nodes === null ? null : [tell('screen.fleet'), format.number(nodes)],
    ),
  );
}
