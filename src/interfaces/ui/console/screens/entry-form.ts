import type { ListRow } from '#src/service/server/admin/answers/list-answer.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { endOfLocalDay } from '../elements/dates.ts';
import { consoleForm } from '../elements/form.ts';
import type { FormField } from '../elements/form-field.ts';
import { type Effect, previewIn } from '../elements/preview.ts';
import { noteUndoable } from '../rows/undoable.ts';

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
