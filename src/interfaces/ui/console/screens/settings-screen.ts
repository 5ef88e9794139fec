import { type Child, html } from '../../elements/dom.ts';
import { literal } from '../../elements/literal.ts';
import type { Items, SettingRow } from '../api/shapes.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { loaded, section } from '../elements/section.ts';
import { table } from '../elements/table.ts';

/** Active settings and their sources. They are changed in the configuration file, never here. */
export function settingsScreen(parts: ConsoleParts): Child {
  const { tell, api, leaving } = parts;
  const read = api.read<Items<SettingRow>>('api/admin/settings', leaving);
  return [
    html(
      'p',
      { class: 'lead' },
      tell('settings.lead'),
      ' ',
      html('a', { href: 'help/reference', hreflang: 'en' }, parts.locale.say('app.manual')),
    ),
    loaded(
      parts,
      read.then(({ value }) => value.items),
      (items) => {
        const [set, rest] = [
          items.filter(({ source }) => source !== 'default'),
          items.filter(({ source }) => source === 'default'),
        ];
        return [
          section(tell('settings.set'), settingTable(tell('settings.set'), set, parts)),
          html(
            'details',
            { class: 'card' },
            html('summary', {}, `${tell('settings.default')} (${parts.locale.format.number(rest.length)})`),
            settingTable(tell('settings.default'), rest, parts),
          ),
        ];
      },
    ),
  ];
}

function settingTable(caption: string, items: readonly SettingRow[], { tell }: ConsoleParts): HTMLElement {
  return table<SettingRow>(
    caption,
    tell('none'),
    [
      { label: tell('name'), cell: ({ name }) => literal(name, 'mono') },
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
