import { copyText } from '../elements/clipboard.ts';
import { html, replaceChildren } from '../elements/dom.ts';
import { mismatchLine } from '../elements/mismatch-line.ts';
import { refusalText } from '../elements/refusal-text.ts';
import { saveFile } from '../elements/save-file.ts';
import { shownUrl } from '../elements/shown-url.ts';
import type { Locale } from '../shell/locale.ts';
import { batchCsv, defangedLinks } from './batch-export.ts';
import { batchFilter } from './batch-filter.ts';
import { type CheckKind, checkKindOf, worstFirst } from './check-kind.ts';
import { checkLine } from './check-line.ts';
import type { QueuedCheck } from './check-queue.ts';

/** The results of many links, one a line. */
export interface BatchList {
  readonly element: HTMLElement;
  changed(check: QueuedCheck): void;
  /** Marks the check whose result is open. */
  mark(opened: QueuedCheck | null): void;
  /** The checks that are shown and have a result, in the order in which they stand. */
  readable(): readonly QueuedCheck[];
}

/** Builds the list; a line whose check is done can be opened, which calls `open`. */
export function batchList(
  checks: readonly QueuedCheck[],
  locale: Locale,
  open: (check: QueuedCheck) => void,
): BatchList {
  const { say } = locale;
  const lines = new Map(checks.map((check) => [check, html('li', {})]));
  const list = html('ol', { class: 'batch-list' });
  const said = html('p', { class: 'actions-said', role: 'status' });
  const filter = batchFilter(checks, locale, arrange);
  const sort = html(
    'select',
    { id: 'batch-order', change: arrange },
    html('option', { value: 'given' }, say('batch.given')),
    html('option', { value: 'worst' }, say('batch.worst')),
  );
  let opened: QueuedCheck | null = null;
  for (const check of checks) draw(check);
  arrange();

  function shown(): readonly QueuedCheck[] {
    const kind: CheckKind | null = filter.kind();
    const ordered = sort.value === 'worst' ? worstFirst(checks) : checks;
    return kind === null ? ordered : ordered.filter((check) => checkKindOf(check) === kind);
  }

  /** Puts the lines in order, but leaves them alone where they stand so: one that is moved loses the focus. */
  function arrange(): void {
    const wanted = shown().flatMap((check) => lines.get(check) ?? []);
    const isSame = wanted.length === list.children.length && wanted.every((line, i) => list.children[i] === line);
    if (!isSame) replaceChildren(list, wanted);
  }

  function draw(check: QueuedCheck): void {
    const line = lines.get(check);
    if (!line) return;
    line.className = check.state;
    const { mismatch } = check.link;
    const finding = mismatch && mismatchLine(mismatch, say, 'check.mismatch');
    const button = checkLine(check, locale, open);
    if (check === opened) button?.setAttribute('aria-current', 'true');
    replaceChildren(line, button ?? html('div', { class: 'line' }, outcome(check), shownUrl(check.url)), finding);
  }

  function outcome({ state, refusal }: QueuedCheck) {
    if (refusal) return html('span', { class: 'complaint' }, refusalText(refusal, locale));
    if (state === 'stopped') return html('span', { class: 'muted' }, say('check.stopped'));
    return html('span', { class: 'pending', 'aria-hidden': 'true' });
  }

  async function copy(): Promise<void> {
    const text = defangedLinks(shown());
    said.textContent = (await copyText(text)) ? say('result.copied') : `${say('result.copyFailed')} ${text}`;
  }

  const save = () => saveFile(`lurecheck-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv', batchCsv(shown()));
  const button = (text: string, act: () => void) => html('button', { type: 'button', click: act }, text);
  return {
    element: html(
      'section',
      { class: 'batch', 'aria-labelledby': 'batch-title' },
      html('h2', { id: 'batch-title', tabindex: -1 }, say('check.results')),
      filter.element,
      html(
        'div',
        { class: 'batch-tools' },
        html('label', { for: 'batch-order' }, say('batch.order')),
        sort,
        button(say('batch.copy'), () => void copy()),
        button(say('batch.csv'), save),
        said,
      ),
      list,
    ),
    changed(check) {
      draw(check);
      filter.refresh();
      arrange();
    },
    mark(check) {
      const before = opened;
      opened = check;
      for (const one of [before, check]) {
        const line = one && lines.get(one)?.querySelector('button');
        if (one === opened) line?.setAttribute('aria-current', 'true');
        else line?.removeAttribute('aria-current');
      }
    },
    readable: () => shown().filter(({ result }) => result !== null),
  };
}
