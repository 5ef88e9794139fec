import type { Status } from '#src/service/server/admin/answers/status-answer.ts';
import { type Child, html } from '../../elements/dom.ts';
import { preference } from '../../shell/preference.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { hrefOfScreen, type ScreenName } from '../screen-route.ts';

const dismissed = preference('steps');

const WAYS: Readonly<Record<string, ScreenName>> = { own_brand: 'brands', backup: 'backups' };

/**
 * Lists the unfinished steps of a first installation, folded; nothing if all are done, the reader may do none, or the
 * list was hidden.
 */
export function firstSteps({ checklist }: Status, { tell, locale, may }: ConsoleParts): Child {
  const open = checklist.filter(({ done }) => !done);
  if (open.length === 0 || !may() || dismissed.read() !== null) return null;
  const line = ({ code, done }: Status['checklist'][number]) => {
    const to = WAYS[code];
    const words = tell.maybe(`checklist.${code}`, code);
    const mark = html('span', {
      class: 'mark-done',
      role: 'img',
      'aria-label': tell(done ? 'checklist.done' : 'checklist.open'),
    });
    return html(
      'li',
      { class: done ? 'is-done' : null },
      mark,
      html(
        'span',
        {},
        to ? html('a', { href: hrefOfScreen(to) }, words) : words,
        !done && html('span', { class: 'note' }, tell.maybe(`checklist.${code}.how`, '')),
      ),
    );
  };
  const hide = () => {
    dismissed.write('hidden');
    part.remove();
  };
  const part = html(
    'details',
    { class: 'card steps' },
    html(
      'summary',
      {},
      tell('checklist'),
      html('span', { class: 'note' }, ' ', tell('checklist.left', { count: locale.format.number(open.length) })),
    ),
    html('ul', { class: 'checklist' }, checklist.map(line)),
    html('div', { class: 'buttons' }, html('button', { type: 'button', click: hide }, tell('checklist.dismiss'))),
  );
  return part;
}
