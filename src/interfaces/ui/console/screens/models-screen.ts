import type { ModelRow, ShownModels } from '#src/service/server/admin/answers/model-answer.ts';
import { type Child, html } from '../../elements/dom.ts';
import { foreign, literal } from '../../elements/literal.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { type Effect, previewButton } from '../elements/preview.ts';
import { loaded, section } from '../elements/section.ts';
import { table } from '../elements/table.ts';
import { packsPart } from './packs-part.ts';

/** Models and packs: what is active, what else is there, what it would change, and a rollback. */
export function modelsScreen(parts: ConsoleParts): Child {
  const { tell, api, leaving } = parts;
  return [
    section(
      tell('models'),
      loaded(parts, api.read<ShownModels>('api/admin/models', leaving), ({ value }) => modelTable(value, parts)),
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
