import { routeAddress } from '../api/console-api.ts';
import type { ChangePreview } from '../api/shapes.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { endOfLocalDay } from '../elements/dates.ts';
import { consoleForm } from '../elements/form.ts';
import { previewIn } from '../elements/preview.ts';

/** Adds one entry to a list, after its effect was shown. */
export function entryForm(name: string, action: 'allow' | 'block', parts: ConsoleParts): HTMLElement {
  const { tell, api } = parts;
  return consoleForm(
    {
      id: `entry-${name}`,
      fields: [
        { name: 'entry', label: tell('entry'), hint: tell('entry.hint'), isRequired: true, isWide: true },
        { name: 'expires', kind: 'date', label: tell('expires'), hint: tell('expires.hint') },
        { name: 'comment', label: tell('comment') },
      ],
      submit: tell('preview.show'),
      async send(entered, result, sent) {
        const body = {
          entry: entered.text('entry'),
          action,
          ...(entered.text('expires') && { expires: endOfLocalDay(entered.text('expires')) }),
          ...(entered.text('comment') && { comment: entered.text('comment') }),
        };
        const ask = (preview: boolean) =>
          api.change<{ readonly preview?: ChangePreview } | null>({
            method: 'POST',
            path: routeAddress(['admin', 'lists', name, 'entries'], { preview }),
            body,
          });
        const done = () => {
          sent();
          parts.reload();
        };
        await previewIn(result, { ask, done }, parts);
      },
    },
    parts,
  );
}
