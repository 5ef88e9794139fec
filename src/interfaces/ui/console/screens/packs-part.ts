import { type Child, html } from '../../elements/dom.ts';
import { foreign } from '../../elements/foreign.ts';
import { literal } from '../../elements/literal.ts';
import type { ChangePreview, PackRow, PacksShown } from '../api/shapes.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { action } from '../elements/action.ts';
import { instantOr } from '../elements/dates.ts';
import { consoleForm } from '../elements/form.ts';
import { previewIn } from '../elements/preview.ts';
import { loaded } from '../elements/section.ts';
import { table } from '../elements/table.ts';

/** Signed update packs: those that are active, installing one from a file and a rollback. */
export function packsPart(parts: ConsoleParts): Child {
  const { tell, api, leaving } = parts;
  return [
    loaded(parts, api.read<PacksShown>('api/admin/packs', leaving), ({ value, etag }) =>
      packsShown(value, etag, parts),
    ),
    html('h3', {}, tell('packs.install')),
    installForm(parts),
  ];
}

function packsShown({ active, available, publishers }: PacksShown, etag: string | null, parts: ConsoleParts): Child {
  const { tell, api } = parts;
  const names = publishers.map((one) => (typeof one === 'string' ? one : one.name));
  const back = action(
    {
      label: tell('packs.rollback'),
      question: tell('packs.rollback.ask'),
      async run() {
        await api.change({ method: 'POST', path: 'api/admin/packs/rollback', etag });
        parts.note(tell('done'));
        parts.reload();
      },
    },
    parts,
  );
  return [
    packTable(tell('packs.active'), active, parts),
    active.length > 0 && html('div', { class: 'buttons' }, back),
    available.length > 0 && [
      html('h3', {}, tell('packs.available')),
      packTable(tell('packs.available'), available, parts),
    ],
    html(
      'p',
      { class: 'note' },
      tell('packs.publishers'),
      ' ',
      names.length === 0 ? tell('none') : foreign(names.join(', ')),
    ),
  ];
}

function packTable(caption: string, items: readonly PackRow[], { tell, locale }: ConsoleParts): HTMLElement {
  return table<PackRow>(
    caption,
    tell('packs.none'),
    [
      {
        label: tell('packs.publisher'),
        cell: ({ name, publisher }) => foreign([name, publisher].filter(Boolean).join(' · ')),
      },
      { label: tell('packs.sequence'), look: 'number', cell: ({ sequence }) => locale.format.number(sequence) },
      { label: tell('packs.published'), cell: ({ published_at }) => instantOr(published_at, '–', locale) },
      { label: tell('packs.contents'), look: 'wide', cell: ({ contents }) => literal(contents.join(', '), 'mono') },
    ],
    items,
  ).element;
}

function installForm(parts: ConsoleParts): HTMLElement {
  const { tell, api } = parts;
  return consoleForm(
    {
      id: 'pack-new',
      fields: [{ name: 'pack', kind: 'file', label: tell('packs.file') }],
      submit: tell('preview.show'),
      async send({ file }, result) {
        if (file === null) return;
        const ask = (preview: boolean) =>
          api.change<{ readonly preview?: ChangePreview }>({
            method: 'POST',
            path: `api/admin/packs${preview ? '?preview=true' : ''}`,
            body: file,
          });
        await previewIn(result, { ask, done: parts.reload }, parts);
      },
    },
    parts,
  );
}
