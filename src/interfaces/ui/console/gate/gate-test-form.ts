import type { GateTest } from '#src/checks/record/gate/gate-test.ts';
import { type Child, html, replaceChildren } from '../../elements/dom.ts';
import { literal } from '../../elements/literal.ts';
import { facts } from '../../result/facts.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { consoleForm } from '../elements/form.ts';
import { section } from '../elements/section.ts';
import { decidedWords } from '../rows/decided-words.ts';
import { siteActions } from '../screens/site-actions.ts';

/** Asks what the gate would say about a link, without a trace in the log. */
export function gateTestForm(parts: ConsoleParts): HTMLElement {
  const { tell, api } = parts;
  return section(
    tell('lists.test'),
    consoleForm(
      {
        id: 'gate-test',
        lead: tell('gate.test.lead'),
        fields: [{ name: 'url', label: tell('preview.example'), isRequired: true, isWide: true }],
        submit: tell('lists.test.submit'),
        async send(entered, result) {
          const body = { url: entered.text('url') };
          const path = routeAddress(['admin', 'gate', 'test']);
          const said = await api.change<GateTest>({ method: 'POST', path, body });
          replaceChildren(result, saidAtGate(said, parts));
        },
      },
      parts,
    ),
  );
}

/** Shows the gate's decision, its rule, and what can be done about it. */
function saidAtGate(said: GateTest, parts: ConsoleParts): Child {
  const { tell, locale } = parts;
  const { url, mode, rule, would_hold: wouldHold, unexamined, decided_by, reasons } = said;
  const { malicious_probability: probability, gate_block: limit } = said;
  const outcome = wouldHold ? (mode === 'hold' ? 'held' : 'wouldHold') : unexamined ? 'unexamined' : 'passes';
  const look = wouldHold ? 'block' : unexamined || rule === 'doubtful' ? 'warn' : 'allow';
  const headings = reasons.flatMap(({ code }) => locale.say.heading(code) ?? []);
  return html(
    'div',
    { class: `gate-says ${look}`, role: 'status' },
    html('h3', {}, tell(`gate.test.${outcome}`)),
    html('p', {}, literal(url, 'mono')),
    facts(
      [tell('gate.why'), tell.maybe(`gate.says.${rule}`, rule)],
      decided_by && [tell('row.decidedBy'), decidedWords(decided_by, parts)],
      headings.length === 0 ? null : [tell('row.reasons'), headings.join(', ')],
      probability === null
        ? null
        : [
            tell('brands.probability'),
            tell('gate.test.limit', { share: locale.format.percent(probability), limit: locale.format.percent(limit) }),
          ],
    ),
    parts.may('lists') && html('div', { class: 'buttons' }, siteActions(url, parts)),
  );
}
