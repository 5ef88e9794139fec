import { type Child, html, replaceChildren } from '../../elements/dom.ts';
import { foreign } from '../../elements/foreign.ts';
import { literal } from '../../elements/literal.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ModelComparison, ModelRow } from '../api/shapes.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { action } from '../elements/action.ts';
import { previewFacts } from '../elements/preview.ts';
import { loaded, section } from '../elements/section.ts';
import { table } from '../elements/table.ts';
import { packsPart } from './packs-part.ts';

/** Latest stored checks that two models are compared on. */
const COMPARED = 500;

/** Models and packs: what is active, what else is there, what it would change, and a rollback. */
export function modelsScreen(parts: ConsoleParts): Child {
  const { tell, api, leaving } = parts;
  return [
    section(
      tell('models'),
      loaded(parts, api.read<{ readonly items: readonly ModelRow[] }>('api/admin/models', leaving), ({ value, etag }) =>
        modelTable(value.items, etag, parts),
      ),
    ),
    section(tell('packs'), packsPart(parts)),
  ];
}

function modelTable(items: readonly ModelRow[], etag: string | null, parts: ConsoleParts): Child {
  const { tell, api } = parts;
  const place = html('div', { class: 'in-place' });
  const finish = () => {
    parts.note(tell('done'));
    parts.reload();
  };
  const compare = ({ version: model }: ModelRow) =>
    action(
      {
        label: tell('models.compare'),
        of: model,
        async run() {
          const body = { model, limit: COMPARED };
          const found = await api.change<ModelComparison>({ method: 'POST', path: 'api/admin/models/compare', body });
          const use = action(
            {
              label: tell('models.use', { name: model }),
              isPrimary: true,
              async run() {
                await api.change({ method: 'PUT', path: 'api/admin/models/active', body: { model }, etag });
                finish();
              },
            },
            parts,
          );
          const title = html('h3', { tabindex: -1 }, tell('models.compared', { name: model }));
          const shown = previewFacts(previewOf(found), parts);
          replaceChildren(
            place,
            html('div', { class: 'preview' }, title, shown, html('div', { class: 'buttons' }, use)),
          );
          title.focus();
        },
      },
      parts,
    );
  const back = action(
    {
      label: tell('models.rollback'),
      question: tell('models.rollback.ask'),
      async run() {
        await api.change({ method: 'POST', path: routeAddress(['admin', 'models', 'rollback']), etag });
        finish();
      },
    },
    parts,
  );
  const rows = table<ModelRow>(
    tell('models'),
    tell('none'),
    [
      { label: tell('name'), look: 'wide', cell: ({ version }) => literal(version, 'mono') },
      {
        label: tell('state'),
        cell: ({ in_force, shipped, problem }) => [
          html(
            'span',
            { class: in_force ? 'badge' : null },
            tell(in_force ? 'active' : shipped ? 'models.shipped' : 'models.stored'),
          ),
          problem && html('span', { class: 'complaint', lang: 'en' }, foreign(problem)),
        ],
      },
      { label: '', look: 'acts', cell: (model) => !model.in_force && model.problem === null && compare(model) },
    ],
    items,
  );
  return [rows.element, place, html('div', { class: 'buttons' }, back)];
}

function previewOf({ checked, changed, newly_blocked = 0, newly_allowed = 0, examples = [] }: ModelComparison) {
  const none = { popular_hits: null, invalid_lines: [], entries: null };
  return { checked, changed, newly_blocked, newly_allowed, examples, ...none };
}
