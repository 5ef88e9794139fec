import { type Child, html } from '#src/interfaces/ui/elements/dom.ts';
import { foreign, literal } from '#src/interfaces/ui/elements/literal.ts';
import { routeAddress } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { momentOr } from '#src/parts/console-elements/elements/dates.ts';
import { consoleForm } from '#src/parts/console-elements/elements/form.ts';
import { type Effect, previewButton, previewIn } from '#src/parts/console-elements/elements/preview.ts';
import { loadedFrom, section } from '#src/parts/console-elements/elements/section.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';
import type { ModelRow, PackRow, ShownModels, ShownPacks } from '#src/service/server/admin/operator-answers.ts';

/** Models and packs: what is active, what else is there, what it would change, and a rollback. */
export function modelsScreen(parts: ConsoleParts): Child {
  const { tell } = parts;
  return [
    section(
      tell('models'),
      loadedFrom<ShownModels>(parts, 'api/admin/models', (models) => modelTable(models, parts)),
    ),
    section(tell('packs'), packsPart(parts)),
  ];
}

function modelTable({ items, etag }: ShownModels, parts: ConsoleParts): Child {
  const { tell, api } = parts;
  const place = html('div', { class: 'in-place' });
  const compare = ({ version: model }: ModelRow) => {
    const ask = (preview: boolean) =>
      api.change<Effect>({
        method: 'PUT',
        path: routeAddress(['admin', 'models', 'active'], { preview }),
        body: { model },
        etag,
      });
    const title = tell('models.compared', { name: model });
    return previewButton({ label: tell('models.compare'), of: model, title, ask, done: parts.reload }, place, parts);
  };
  const rollBack = (preview: boolean) =>
    api.change<Effect>({ method: 'POST', path: routeAddress(['admin', 'models', 'rollback'], { preview }), etag });
  const label = tell('models.rollback');
  const back = previewButton({ label, title: label, ask: rollBack, done: parts.reload }, place, parts);
  const rows = table<ModelRow>(
    tell('models'),
    tell('none'),
    [
      { label: tell('name'), look: 'wide', cell: ({ version }) => literal(version, 'mono') },
      {
        label: tell('state'),
        cell: ({ in_force, shipped, problem }) => [
          in_force && [html('span', { class: 'badge' }, tell('active')), ' '],
          tell(shipped ? 'models.shipped' : 'models.stored'),
          problem && html('span', { class: 'complaint', lang: 'en' }, foreign(problem)),
        ],
      },
      { label: '', look: 'acts', cell: (model) => !model.in_force && model.problem === null && compare(model) },
    ],
    items,
  );
  return [rows.element, place, items.length > 1 && html('div', { class: 'buttons' }, back)];
}

/** Signed update packs: those that are active, installing one from a file, and a rollback. */
function packsPart(parts: ConsoleParts): Child {
  const { tell } = parts;
  return [
    loadedFrom<ShownPacks>(parts, 'api/admin/packs', (packs) => packsShown(packs, parts)),
    html('h3', {}, tell('packs.install')),
    installForm(parts),
  ];
}

function packsShown({ active, available, publishers, etag }: ShownPacks, parts: ConsoleParts): Child {
  const { tell, api } = parts;
  const place = html('div', { class: 'in-place' });
  const names = publishers.filter(({ revoked }) => revoked === null).map(({ name }) => name);
  const label = tell('packs.rollback');
  const ask = (preview: boolean) =>
    api.change<Effect>({ method: 'POST', path: routeAddress(['admin', 'packs', 'rollback'], { preview }), etag });
  const back = previewButton({ label, title: label, ask, done: parts.reload }, place, parts);
  return [
    packTable(tell('packs.active'), active, parts),
    available.length > 0 && [
      html('h3', {}, tell('packs.available')),
      packTable(tell('packs.available'), available, parts),
    ],
    (active.length > 0 || available.length > 0) && [place, html('div', { class: 'buttons' }, back)],
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
  const { say } = locale;
  const trouble = ({ problem, revoked, expired }: PackRow) => {
    if (problem !== null) return say('about.pack.unusable');
    return revoked ? say('about.pack.revoked') : expired && say('about.pack.expired');
  };
  return table<PackRow>(
    caption,
    tell('packs.none'),
    [
      { label: tell('name'), look: 'wide', cell: ({ name }) => foreign(name) },
      { label: tell('packs.version'), look: 'number', cell: ({ version }) => locale.format.number(version) },
      { label: tell('packs.publisher'), cell: ({ publisher }) => foreign(publisher) },
      {
        label: tell('expires'),
        cell: (pack) => [momentOr(pack.expires, '–', locale), ' ', html('span', { class: 'complaint' }, trouble(pack))],
      },
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
          api.change<Effect>({ method: 'POST', path: routeAddress(['admin', 'packs'], { preview }), body: file });
        await previewIn(result, { ask, done: parts.reload }, parts);
      },
    },
    parts,
  );
}
