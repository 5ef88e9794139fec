import { routeAddress } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { endOfLocalDay } from '#src/parts/console-elements/elements/dates.ts';
import { consoleForm } from '#src/parts/console-elements/elements/form.ts';
import type { FormField } from '#src/parts/console-elements/elements/inputs.ts';
import { type Effect, previewIn } from '#src/parts/console-elements/elements/preview.ts';
import { noteUndoable } from '#src/parts/console-elements/rows/site-actions.ts';
import { hrefOfScreen } from '#src/parts/console-elements/screen-route.ts';
import type { ListRow } from '#src/parts/lists/routes/list-answer.ts';
import type { ChangePreview } from '#src/service/server/admin/preview-answer.ts';

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

/** A list that takes entries by hand. */
export type OpenList = Pick<ListRow, 'name' | 'action'>;

/** Adds one entry to one of some lists, the first by default, after its effect was shown. */
export function entryForm(lists: readonly OpenList[], parts: ConsoleParts): HTMLElement {
  const { tell, api, locale } = parts;
  const [first] = lists;
  const words = ({ name, action }: OpenList) => `${name} (${locale.say(`decision.${action}.short`)})`;
  const choice: FormField = {
    ...{ name: 'list', kind: 'choice', label: tell('row.list') },
    options: lists.map((list) => [list.name, words(list)]),
  };
  return consoleForm(
    {
      id: lists.length > 1 ? 'entry' : `entry-${first?.name}`,
      fields: [
        { name: 'entry', label: tell('entry'), hint: tell('entry.hint'), isRequired: true },
        ...(lists.length > 1 ? [choice] : []),
        { name: 'expires', kind: 'date', label: tell('expires'), hint: tell('expires.hint') },
        { name: 'comment', label: tell('comment') },
      ],
      submit: tell('preview.show'),
      async send(entered, result, sent) {
        const { name, action } = lists.find((list) => list.name === entered.text('list')) ?? first ?? {};
        const entry = entered.text('entry');
        const body = {
          ...{ entry, action },
          ...(entered.text('expires') && { expires: endOfLocalDay(entered.text('expires')) }),
          ...(entered.text('comment') && { comment: entered.text('comment') }),
        };
        const ask = (preview: boolean) =>
          api.change<Effect>({
            method: 'POST',
            path: routeAddress(['admin', 'lists', name ?? '', 'entries'], { preview }),
            body,
          });
        const done = (effect: Effect) => {
          sent();
          const made = { list: name ?? '', of: entry, words: tell('lists.added.done') };
          noteUndoable({ ...made, effect, undone: parts.reload }, parts);
          parts.reload();
        };
        await previewIn(result, { ask, done }, parts);
      },
    },
    parts,
  );
}
