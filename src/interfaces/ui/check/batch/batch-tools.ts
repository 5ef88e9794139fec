import { actLater } from '../../elements/act-later.ts';
import { copyText } from '../../elements/clipboard.ts';
import { html } from '../../elements/dom.ts';
import { saveFile } from '../../elements/save-file.ts';
import type { Locale } from '../../shell/locale.ts';
import { hrefOfBatch } from '../../shell/route.ts';
import { checkKindOf } from '../check-kind.ts';
import type { QueuedCheck } from '../check-queue.ts';
import type { IntakeProblem } from '../intake/intake-problem.ts';

/** The batch to export. */
interface Batch {
  readonly checks: readonly QueuedCheck[];
  readonly unread: readonly IntakeProblem[];
  /** The checks that the filter shows, in their order. */
  visibleChecks(): readonly QueuedCheck[];
}

/** The order of the list, and its exports. */
export function batchTools({ checks, unread, visibleChecks }: Batch, { say }: Locale, sort: HTMLElement): HTMLElement {
  const said = html('p', { class: 'actions-said', role: 'status' });

  /** Returns the shown checks and then all unfinished ones, so that a part is not mistaken for the whole. */
  function exported(): readonly QueuedCheck[] {
    const chosen = visibleChecks();
    const isChosen = new Set(chosen);
    return [...chosen, ...checks.filter((check) => checkKindOf(check) === 'unchecked' && !isChosen.has(check))];
  }

  async function copy(): Promise<void> {
    const { defangedLinks } = await import('./batch-export.ts');
    const text = defangedLinks(exported(), say);
    said.textContent = (await copyText(text)) ? say('result.copied') : `${say('result.copyFailed')} ${text}`;
  }

  async function save(): Promise<void> {
    const { batchCsv } = await import('./batch-export.ts');
    const name = `lurecheck-${new Date().toISOString().slice(0, 10)}.csv`;
    saveFile(name, 'text/csv', batchCsv(exported(), unread, say));
  }

  async function copyLink(): Promise<void> {
    const { packBatch } = await import('./batch-link.ts');
    const packed = await packBatch(exported());
    if (packed === null) {
      said.textContent = say('batch.link.tooLong');
      return;
    }
    const link = `${location.origin}${location.pathname}${hrefOfBatch(packed)}`;
    said.textContent = (await copyText(link))
      ? `${say('result.copied')} ${say('batch.link.means')}`
      : `${say('result.copyFailed')} ${link}`;
  }

  const button = (text: string, act: () => Promise<void>) =>
    html('button', { type: 'button', click: actLater(act, said, say) }, text);
  return html(
    'div',
    { class: 'batch-tools' },
    html('label', { for: 'batch-order' }, say('batch.order')),
    sort,
    button(say('batch.copy'), copy),
    button(say('batch.csv'), save),
    button(say('batch.link'), copyLink),
    said,
  );
}
