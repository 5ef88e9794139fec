import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import { foreign, literal } from '#src/interfaces/ui/elements/literal.ts';
import type { ActiveSetting } from '#src/parts/console/answers/console-answers.ts';
import type { Items } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { loadedFrom, section } from '#src/parts/console-elements/elements/section.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';

/** Active settings, their meaning and sources, with a search. They are changed in the configuration file, never here. */
export function settingsScreen(parts: ConsoleParts): Child {
  const { tell } = parts;
  return [
    html(
      'p',
      { class: 'lead' },
      tell('settings.lead'),
      ' ',
      html('a', { href: 'help/reference', hreflang: 'en' }, parts.locale.say('app.manual')),
    ),
    loadedFrom<Items<ActiveSetting>>(parts, 'api/admin/settings', ({ items }) => searchable(items, parts)),
  ];
}

/** A field that finds settings by each word of their name, meaning and value, above those that it finds. */
function searchable(items: readonly ActiveSetting[], parts: ConsoleParts): Child {
  const { tell, locale } = parts;
  const place = html('div', { class: 'loaded' });
  const said = html('p', { class: 'note', role: 'status' });
  const texts = new Map(
    items.map((item) => [item, [item.name, item.description, textOf(item.value)].join(' ').toLowerCase()]),
  );
  const input = html('input', {
    ...{ type: 'search', id: 'settings-search', placeholder: tell('settings.search.hint') },
    ...{ autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' },
    input: () => find(),
  });

  function find(): void {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = items.filter((item) => words.every((word) => texts.get(item)?.includes(word)));
    said.textContent = words.length === 0 ? '' : tell('settings.found', { count: locale.format.number(found.length) });
    replaceChildren(
      place,
      words.length === 0
        ? groups(items, parts)
        : html('div', { class: 'card' }, settingTable(tell('settings.search'), found, parts)),
    );
  }

  find();
  return [
    html(
      'div',
      { class: 'field search', role: 'search' },
      html('label', { for: input.id }, tell('settings.search')),
      input,
      said,
    ),
    place,
  ];
}

function groups(items: readonly ActiveSetting[], parts: ConsoleParts): Child {
  const { tell, locale } = parts;
  const set = items.filter(({ source }) => source !== 'default');
  const common = items.filter((item) => item.common && !set.includes(item));
  const rest = items.filter((item) => !item.common && !set.includes(item));
  return [
    section(tell('settings.set'), settingTable(tell('settings.set'), set, parts)),
    common.length > 0 && section(tell('settings.common'), settingTable(tell('settings.common'), common, parts, false)),
    html(
      'details',
      { class: 'card' },
      html('summary', {}, `${tell('settings.default')} (${locale.format.number(rest.length)})`),
      settingTable(tell('settings.default'), rest, parts),
    ),
  ];
}

function settingTable(
  caption: string,
  items: readonly ActiveSetting[],
  { tell }: ConsoleParts,
  isMarked = true,
): HTMLElement {
  return table<ActiveSetting>(
    caption,
    tell('none'),
    [
      {
        label: tell('name'),
        look: 'wide',
        cell: ({ name, common, description }) => [
          literal(name, 'mono'),
          isMarked && common && [' ', html('span', { class: 'badge' }, tell('settings.usual'))],
          description && html('p', { class: 'note', lang: 'en' }, foreign(description)),
        ],
      },
      { label: tell('settings.value'), look: 'wide', cell: ({ value }) => literal(textOf(value), 'mono') },
      { label: tell('settings.source'), cell: ({ source }) => tell.maybe(`source.${source}`, source) },
      { label: tell('settings.reload'), cell: ({ reloadable }) => tell(reloadable ? 'yes' : 'no') },
    ],
    items,
  ).element;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
