import { decisionChip } from '../../elements/decision-chip.ts';
import { type Child, html, replaceChildren } from '../../elements/dom.ts';
import { foreign } from '../../elements/foreign.ts';
import { literal } from '../../elements/literal.ts';
import { routeAddress } from '../api/console-api.ts';
import type { AttackRow, BrandRow, BrandTrialShown } from '../api/shapes.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { action } from '../elements/action.ts';
import { consoleForm } from '../elements/form.ts';
import { loaded, section } from '../elements/section.ts';
import { table } from '../elements/table.ts';

interface Trial {
  readonly synthetic_attacks?: BrandTrialShown;
}

/** The brands of the operator, and what attacks on a new one come to. */
export function brandsScreen(parts: ConsoleParts): Child {
  const { tell, api, leaving } = parts;
  const read = api.read<{ readonly items: readonly BrandRow[] }>('api/admin/brands', leaving);
  return [
    section(
      tell('brands.own'),
      loaded(
        parts,
        read.then(({ value }) => value.items),
        (items) => brandTable(items, parts),
      ),
    ),
    section(tell('brands.add'), addForm(parts)),
  ];
}

function brandTable(items: readonly BrandRow[], parts: ConsoleParts): HTMLElement {
  const { tell, locale, api } = parts;
  const remove = ({ name, etag }: BrandRow) =>
    action(
      {
        label: tell('remove'),
        of: name,
        question: tell('remove.ask', { name }),
        async run() {
          await api.change({ method: 'DELETE', path: routeAddress(['admin', 'brands', name]), etag: etag ?? null });
          parts.note(tell('done'));
          parts.reload();
        },
      },
      parts,
    );
  return table<BrandRow>(
    tell('brands.own'),
    tell('brands.none'),
    [
      { label: tell('name'), cell: ({ name }) => foreign(name) },
      { label: tell('brands.domains'), look: 'wide', cell: ({ domains }) => literal(domains.join(', '), 'mono') },
      { label: tell('brands.pages'), look: 'number', cell: ({ pages }) => locale.format.number(pages) },
      { label: '', look: 'acts', cell: remove },
    ],
    items,
  ).element;
}

function addForm(parts: ConsoleParts): HTMLElement {
  const { tell, api } = parts;
  return consoleForm(
    {
      id: 'brand-new',
      lead: tell('brands.lead'),
      fields: [
        { name: 'name', label: tell('brands.name'), hint: tell('optional') },
        { name: 'domains', label: tell('brands.domains'), hint: tell('brands.domains.hint'), isRequired: true },
        {
          name: 'page',
          kind: 'file',
          label: tell('brands.page'),
          hint: tell('brands.page.hint'),
          accept: '.html,.htm,text/html',
        },
      ],
      submit: tell('brands.try'),
      async send(entered, result, sent) {
        const domains = entered
          .text('domains')
          .toLowerCase()
          .split(/[\s,;]+/)
          .filter(Boolean);
        const name = entered.text('name');
        const html = entered.file && (await entered.file.text());
        const own = { ...(name !== '' && { name }) };
        const body = html === null ? { ...own, domains } : { ...own, html, domain: domains[0] };
        const ask = (preview: boolean) =>
          api.change<Trial | BrandRow>({ method: 'POST', path: routeAddress(['admin', 'brands'], { preview }), body });
        const add = async () => {
          await ask(false);
          sent();
        };
        const trial = (await ask(true)) as Trial;
        replaceChildren(result, trialShown(trial, add, parts));
        result.querySelector<HTMLElement>('h3')?.focus();
      },
    },
    parts,
  );
}

function trialShown(
  { synthetic_attacks: trial }: Trial,
  add: () => Promise<unknown>,
  parts: ConsoleParts,
): HTMLElement {
  const { tell, locale } = parts;
  const caught = trial?.attacks.filter(({ decision }) => decision !== 'allow').length ?? 0;
  const values = { caught: locale.format.number(caught), all: locale.format.number(trial?.attacks.length ?? 0) };
  const commit = async () => {
    await add();
    parts.note(tell('done'));
    parts.reload();
  };
  return html(
    'div',
    { class: 'preview' },
    html('h3', { tabindex: -1 }, tell('brands.trial')),
    html('p', {}, tell('brands.caught', values)),
    attackTable(tell('brands.attacks'), trial?.attacks ?? [], parts),
    html('h3', {}, tell('brands.ownPages')),
    attackTable(tell('brands.ownPages'), trial?.own ?? [], parts),
    html('div', { class: 'buttons' }, action({ label: tell('brands.add'), isPrimary: true, run: commit }, parts)),
  );
}

function attackTable(caption: string, items: readonly AttackRow[], { tell, locale }: ConsoleParts): HTMLElement {
  const { say, format } = locale;
  return table<AttackRow>(
    caption,
    tell('none'),
    [
      { label: tell('preview.example'), look: 'wide', cell: ({ url }) => literal(url, 'mono') },
      { label: tell('brands.trick'), cell: ({ trick }) => html('span', { lang: 'en' }, trick) },
      { label: say('history.decision'), cell: ({ decision }) => decisionChip(decision, say) },
      { label: tell('brands.probability'), look: 'number', cell: ({ malicious_probability: p }) => format.percent(p) },
    ],
    items,
  ).element;
}
