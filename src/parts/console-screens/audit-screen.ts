import { type Child, html } from '#src/interfaces/ui/elements/dom.ts';
import { foreign, literal } from '#src/interfaces/ui/elements/literal.ts';
import type { AuditPage, AuditRow } from '#src/parts/console/answers/console-answers.ts';
import { routeAddress } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { paged } from '#src/parts/console-elements/elements/section.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';

/** Lists changes with their user and address, latest first. */
export function auditScreen(parts: ConsoleParts): Child {
  const { tell, locale, api, leaving } = parts;
  const rows = table<AuditRow>(
    tell('screen.audit'),
    tell('none'),
    [
      { label: tell('time'), cell: ({ time }) => locale.format.moment(time) },
      { label: tell('audit.action'), cell: (row) => actionWords(row, parts) },
      { label: tell('audit.subject'), look: 'wide', cell: subjectWords },
      { label: tell('audit.by'), cell: ({ by }) => foreign(by) },
      { label: tell('audit.from'), cell: ({ address }) => address && literal(address, 'mono') },
    ],
    [],
  );
  const load = async (before: string | null) => {
    const path = routeAddress(['admin', 'audit'], { limit: '100', before });
    const { items, next_before: next } = await api.read<AuditPage>(path, leaving);
    return { items, next: next === null ? null : String(next) };
  };
  return html('div', { class: 'card' }, paged(parts, load, rows));
}

/** Describes a change; an unknown one by its code, as commands do. */
function actionWords({ action }: AuditRow, { tell }: ConsoleParts): Child {
  const done = action.replace(/\.failed$/, '');
  const what = tell.maybe(`audit.${done}`, done);
  return html('span', { title: action }, done === action ? what : tell('audit.failed', { what }));
}

/** Values that are shown of a change, in characters. */
const MAX_DETAIL = 300;

function subjectWords({ subject, detail }: AuditRow): Child {
  const more = detail
    .flatMap(({ name, value }) => (value === 'null' ? [] : `${name} ${shortValue(value)}`))
    .join(' · ');
  return html(
    'div',
    {},
    subject && literal(shortDigest(subject), 'mono'),
    more !== '' && html('p', { class: 'note' }, literal(more, '', MAX_DETAIL)),
  );
}

function shortValue(json: string): string {
  const value: unknown = JSON.parse(json);
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? shortDigest(value) : json;
}

/** Shortens a digest or a fingerprint to its beginning, which no other one here has. */
const shortDigest = (text: string) => (/^[0-9a-f]{32,}$/.test(text) ? `${text.slice(0, 12)}…` : text);
