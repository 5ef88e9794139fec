import { type Child, html } from '../../elements/dom.ts';
import { foreign } from '../../elements/foreign.ts';
import { literal } from '../../elements/literal.ts';
import { routeAddress } from '../api/console-api.ts';
import type { AuditPage, AuditRow } from '../api/shapes.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { paged } from '../elements/paged.ts';
import { table } from '../elements/table.ts';

/** What was changed, by whom, and from where; the latest first. */
export function auditScreen(parts: ConsoleParts): Child {
  const { tell, locale, api, leaving } = parts;
  const rows = table<AuditRow>(
    tell('screen.audit'),
    tell('none'),
    [
      { label: tell('time'), cell: ({ time }) => locale.format.instant(time) },
      { label: tell('audit.action'), cell: ({ action }) => literal(action, 'mono') },
      { label: tell('audit.subject'), look: 'wide', cell: subjectWords },
      { label: tell('audit.by'), cell: ({ by }) => foreign(by) },
      { label: tell('audit.from'), cell: ({ address }) => address && literal(address, 'mono') },
    ],
    [],
  );
  const load = async (before: string | null) => {
    const { value } = await api.read<AuditPage>(routeAddress(['admin', 'audit'], { limit: '100', before }), leaving);
    return { items: value.items, next: value.next_before === null ? null : String(value.next_before) };
  };
  return html('div', { class: 'card' }, paged(parts, load, rows));
}

/** Values that are shown of a change, in characters. */
const MAX_DETAIL = 300;

function subjectWords({ subject, detail }: AuditRow): Child {
  const more = detail.map(({ name, value }) => `${name} ${value}`).join(', ');
  return [
    subject && literal(subject, 'mono'),
    more !== '' && html('span', { class: 'note detail' }, literal(more, '', MAX_DETAIL)),
  ];
}
