import type { ChangePreview } from '#src/service/server/admin/answers/preview-answer.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { endOfLocalDay } from '../elements/dates.ts';
import { consoleForm } from '../elements/form.ts';
import type { FormField } from '../elements/form-field.ts';
import { previewIn } from '../elements/preview.ts';
import { hrefOfScreen } from '../screen-route.ts';

/** A list that gets another content. */
export interface ReplacedList {
  readonly name: string;
  readonly etag: string | null;
}

/** Imports a list from a file that is dropped, or from pasted lines; its effect is shown first. */
export function importForm(replaced: ReplacedList | null, parts: ConsoleParts): HTMLElement {
  const { tell, api, locale } = parts;
  const { say } = locale;
  const id = replaced === null ? 'list-new' : `list-${replaced.name}`;
  const own: FormField[] = [
    { name: 'name', label: tell('name'), isRequired: true },
    {
      name: 'action',
      kind: 'choice',
      label: tell('lists.action'),
      options: [
        ['block', say('decision.block.short')],
        ['allow', say('decision.allow.short')],
      ],
    },
    { name: 'expires', kind: 'date', label: tell('expires'), hint: tell('expires.hint') },
  ];
  return consoleForm(
    {
      id,
      lead: tell('lists.import.lead'),
      fields: [
        ...(replaced === null ? own : []),
        { name: 'content', kind: 'content', label: tell('lists.content') },
        { name: 'skip', kind: 'check', label: tell('lists.skip') },
      ],
      submit: tell('preview.show'),
      async send(entered, result, sent) {
        const name = replaced?.name ?? entered.text('name');
        const body = {
          content: entered.text('content'),
          ...(entered.text('skip') && { skip_invalid: true }),
          ...(replaced === null && { name, action: entered.text('action') }),
          ...(entered.text('expires') && { expires: endOfLocalDay(entered.text('expires')) }),
        };
        const ask = (preview: boolean) =>
          api.change<{ readonly preview?: ChangePreview }>({
            method: replaced === null ? 'POST' : 'PUT',
            path: routeAddress(replaced === null ? ['admin', 'lists'] : ['admin', 'lists', name], { preview }),
            body,
            etag: replaced?.etag ?? null,
          });
        const done = () => {
          sent();
          if (replaced === null) parts.open(hrefOfScreen('lists', name));
          else parts.reload();
        };
        const flaw = ({ invalid_lines: lines }: ChangePreview) =>
          lines.length > 0 && entered.text('skip') === '' ? tell('preview.correct') : null;
        await previewIn(result, { ask, flaw, done }, parts);
      },
    },
    parts,
  );
}
