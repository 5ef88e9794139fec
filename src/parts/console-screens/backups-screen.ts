import { type Child, html } from '#src/interfaces/ui/elements/dom.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import { type Fact, facts } from '#src/interfaces/ui/result/facts.ts';
import type { BackupRow, Backups } from '#src/parts/backup/backup-answer.ts';
import { routeAddress } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { action } from '#src/parts/console-elements/elements/action.ts';
import { loadedFrom, section } from '#src/parts/console-elements/elements/section.ts';
import { table } from '#src/parts/console-elements/elements/table.ts';

/** The backups of the service, which can be made and downloaded here. Restoring needs the command line. */
export function backupsScreen(parts: ConsoleParts): Child {
  const { tell, api } = parts;
  const create = action(
    {
      label: tell('backups.create'),
      isPrimary: true,
      async run() {
        await api.change({ method: 'POST', path: 'api/admin/backups' });
        parts.note(tell('backups.created'));
        parts.reload();
      },
    },
    parts,
  );
  return loadedFrom<Backups>(parts, 'api/admin/backups', ({ items, schedule }) => [
    section(tell('screen.backups'), create, backupTable(items, parts)),
    section(
      tell('backups.schedule'),
      facts(...scheduleFacts(schedule, parts)),
      html('p', { class: 'note' }, tell('backups.settings'), ' ', tell('backups.secret')),
    ),
  ]);
}

function backupTable(items: readonly BackupRow[], { tell, locale }: ConsoleParts): HTMLElement {
  const { format } = locale;
  return table<BackupRow>(
    tell('screen.backups'),
    tell('today.noBackup'),
    [
      { label: tell('name'), look: 'wide', cell: ({ name }) => literal(name, 'mono') },
      { label: tell('time'), cell: ({ created_at }) => format.moment(created_at) },
      { label: tell('size'), look: 'number', cell: ({ bytes }) => format.bytes(bytes) },
      {
        label: tell('state'),
        cell: ({ complete }) =>
          html(
            'span',
            { class: complete ? null : 'complaint' },
            tell(complete ? 'backups.complete' : 'backups.incomplete'),
          ),
      },
      {
        label: '',
        look: 'acts',
        cell: ({ name }) =>
          html(
            'a',
            {
              class: 'button',
              href: routeAddress(['admin', 'backups', name]),
              download: name,
              'aria-label': `${tell('download')}: ${name}`,
            },
            tell('download'),
          ),
      },
    ],
    items,
  ).element;
}

function scheduleFacts({ at, dir, keep }: Backups['schedule'], { tell, locale }: ConsoleParts): Fact[] {
  return [
    [tell('backups.at'), at === null ? tell('backups.unscheduled') : literal(at)],
    [tell('backups.dir'), dir === null ? tell('none') : literal(dir, 'mono')],
    [tell('backups.keep'), locale.format.number(keep)],
  ];
}
