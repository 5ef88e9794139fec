import { decisionChip } from '#src/interfaces/ui/elements/decision-marks.ts';
import { type Child, html } from '#src/interfaces/ui/elements/dom.ts';
import { foreign, literal } from '#src/interfaces/ui/elements/literal.ts';
import type { Items } from '#src/parts/console-elements/api/console-api.ts';
import { routeAddress } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { action } from '#src/parts/console-elements/elements/action.ts';
import { consoleForm } from '#src/parts/console-elements/elements/form.ts';
import { type ShownEffect, showEffect } from '#src/parts/console-elements/elements/preview.ts';
import { loadedFrom, section } from '#src/parts/console-elements/elements/section.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';
import type { AttackRow, BrandRow, ShownTrial } from '#src/service/server/admin/operator-answers.ts';

/** The brands of the operator, and what attacks on a new one come to. */
export function brandsScreen(parts: ConsoleParts): Child {
  const { tell } = parts;
  return [
    section(
      tell('brands.own'),
      loadedFrom<Items<BrandRow>>(parts, 'api/admin/brands', ({ items }) => brandTable(items, parts)),
    ),
    section(tell('brands.add'), addForm(parts)),
  ];
}

function brandTable(items: readonly BrandRow[], parts: ConsoleParts): Child {
  const { tell, locale, api } = parts;
  const place = html('div', { class: 'in-place' });
  const remove = ({ name, etag }: BrandRow) => {
    const ask = (preview: boolean) =>
      api.change<ShownTrial>({ method: 'DELETE', path: routeAddress(['admin', 'brands', name], { preview }), etag });
    const title = tell('remove.ask', { name });
    const open = () => showTrial(place, { title, apply: tell('remove'), ask, done: parts.reload }, parts);
    return action({ label: tell('remove'), of: name, run: open }, parts);
  };
  const rows = table<BrandRow>(
    tell('brands.own'),
    tell('brands.none'),
    [
      { label: tell('name'), cell: ({ name }) => foreign(name) },
      { label: tell('brands.domains'), look: 'wide', cell: ({ domains }) => literal(domains.join(', '), 'mono') },
      { label: tell('brands.pages'), look: 'number', cell: ({ pages }) => locale.format.number(pages) },
      { label: '', look: 'acts', cell: remove },
    ],
    items,
  );
  return [rows.element, place];
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
        const body =
          html === null ? { ...own, domains } : { ...own, html, domain: domains[0], domains: domains.slice(1) };
        const ask = (preview: boolean) =>
          api.change<ShownTrial>({ method: 'POST', path: routeAddress(['admin', 'brands'], { preview }), body });
        const done = () => {
          sent();
          parts.reload();
        };
        await showTrial(result, { title: tell('brands.trial'), apply: tell('brands.add'), ask, done }, parts);
      },
    },
    parts,
  );
}

/** Shows in `place` what a change does to the verdicts on synthetic attacks, before it is made. */
function showTrial(
  place: HTMLElement,
  change: Omit<ShownEffect<ShownTrial>, 'draw'>,
  parts: ConsoleParts,
): Promise<void> {
  return showEffect<ShownTrial>(place, { ...change, draw: (trial) => trialFacts(trial, parts) }, parts);
}

function trialFacts({ synthetic_attacks: trial }: ShownTrial, parts: ConsoleParts): Child {
  const { tell, locale } = parts;
  const { number } = locale.format;
  const values = {
    caught: number(trial.detected_after),
    before: number(trial.detected_before),
    all: number(trial.tried),
  };
  return [
    html('p', {}, tell('brands.caught', values)),
    trial.own_alarmed > 0 &&
      html('p', { class: 'complaint' }, tell('brands.ownAlarmed', { count: number(trial.own_alarmed) })),
    attackTable(trial.examples, parts),
  ];
}

function attackTable(items: readonly AttackRow[], { tell, locale }: ConsoleParts): HTMLElement {
  const { say, format } = locale;
  return table<AttackRow>(
    tell('brands.trial'),
    tell('none'),
    [
      { label: tell('preview.example'), look: 'wide', cell: ({ url }) => literal(url, 'mono') },
      { label: tell('brands.trick'), cell: ({ trick }) => html('span', { lang: 'en' }, trick) },
      { label: tell('preview.before'), cell: ({ before }) => decisionChip(before, say) },
      { label: tell('preview.after'), cell: ({ decision }) => decisionChip(decision, say) },
      { label: tell('brands.probability'), look: 'number', cell: ({ malicious_probability: p }) => format.percent(p) },
    ],
    items,
  ).element;
}
