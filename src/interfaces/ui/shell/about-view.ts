import type { About } from '#src/checks/record/about.ts';
import { requestAbout } from '../api/api.ts';
import { type Child, html } from '../elements/dom.ts';
import { filled } from '../elements/filled.ts';
import { foreign, literal } from '../elements/literal.ts';
import { fill } from '../elements/loading.ts';
import { retentionWords } from '../elements/retention-words.ts';
import { facts } from '../result/facts.ts';
import type { Locale } from './locale.ts';

/** Describes the service: version, model, network use, limits, lists and contact. */
export function aboutView(locale: Locale, leaving: AbortSignal): HTMLElement {
  const { say } = locale;
  const place = html(
    'section',
    { class: 'card' },
    html('p', { role: 'status', class: 'muted' }, say('history.loading')),
  );
  void fill(place, requestAbout(leaving), (about) => aboutFacts(about, locale), locale, leaving);
  return html('div', { class: 'help-page about' }, html('h1', { tabindex: -1 }, say('about.title')), place);
}

function aboutFacts(about: About, locale: Locale): Child {
  const { say } = locale;
  const { version, model, network, checks_per_minute: limit, contact, lists, packs, retention, license } = about;
  return facts(
    [say('about.version'), version],
    [say('meta.model'), modelWords(model, locale)],
    [say('about.network'), say(`visit.${network}`)],
    [say('about.limit'), limit === null ? say('about.limit.none') : say.count('about.limit', limit)],
    contact === null ? null : [say('about.contact'), foreign(contact)],
    [say('component.lists'), lists.length === 0 ? say('status.noLists') : listsOf(lists, locale)],
    packs.length === 0 ? null : [say('about.packs'), packsOf(packs, locale)],
    [say('about.kept'), retentionWords(retention, locale) || say('about.limit.none')],
    [say('about.license'), license],
    [say('about.license.parts'), [say('about.license.printed'), ' ', literal('lurecheck licenses', 'mono')]],
  );
}

function modelWords({ version, date }: About['model'], { say, format }: Locale): Child {
  return filled(say('about.model'), (name) =>
    name === 'version' ? literal(version) : format.date(`${date}T00:00:00Z`),
  );
}

function listsOf(lists: About['lists'], { say, format }: Locale): Child {
  return notedItems(
    lists.map(({ name, action, entries, changed_at }) => [
      name,
      [
        say(`decision.${action}.short`),
        say.count('about.entries', entries),
        ...(changed_at === null ? [] : [say('about.changed', { date: format.date(changed_at) })]),
      ],
    ]),
  );
}

function packsOf(packs: About['packs'], { say, format }: Locale): Child {
  return notedItems(
    packs.map(({ name, version, publisher, expires_at, state }) => [
      `${name} ${version}`,
      [
        foreign(publisher),
        ...(expires_at === null ? [] : [say('about.pack.until', { date: format.date(expires_at) })]),
        ...(state === 'in_force' ? [] : [html('strong', {}, say(`about.pack.${state}`))]),
      ],
    ]),
  );
}

/** Names, each with what is to be known of it. */
function notedItems(items: readonly (readonly [name: string, notes: readonly Child[]])[]): Child {
  return html(
    'ul',
    { class: 'plain' },
    items.map(([name, notes]) =>
      html(
        'li',
        {},
        literal(name, 'mono'),
        html(
          'span',
          { class: 'note' },
          notes.flatMap((note, at) => (at === 0 ? [note] : [' · ', note])),
        ),
      ),
    ),
  );
}
