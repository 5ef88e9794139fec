import { copyText } from '../../elements/clipboard.ts';
import { html, replaceChildren } from '../../elements/dom.ts';
import { decisionIcon } from '../../elements/icons.ts';
import { actLater } from '../../elements/loaded-later.ts';
import { refusalText } from '../../elements/refusal-text.ts';
import { saveFile } from '../../elements/save-file.ts';
import { shownUrl } from '../../elements/shown-url.ts';
import { clickedHelp } from '../../result/clicked-help.ts';
import type { Locale } from '../../shell/locale.ts';
import { hrefOfBatch } from '../../shell/route.ts';
import { type CheckKind, checkKindOf, countKinds, isHarmless, KINDS, worstFirst } from '../check-kind.ts';
import { checkLine, linkNotes } from '../check-line.ts';
import type { QueuedCheck } from '../check-queue.ts';
import { type IntakeProblem, isUnseen } from '../intake/intake-problem.ts';
import { unreadLine } from '../intake/unchecked-lines.ts';
import { headline } from './headline.ts';
import { kindOfAll } from './kind-of-all.ts';

/** Milliseconds between two countings: a line may be one of thousands. */
const REFRESH_MS = 50;

/** The results of many links, one a line. */
export interface BatchList {
  readonly element: HTMLElement;
  changed(check: QueuedCheck): void;
  /** Marks the check whose result is open. */
  mark(opened: QueuedCheck | null): void;
  /** Says if the results are still there after a reload. */
  noteKept(isKept: boolean): void;
  /** Shown checks that have a result, in display order. */
  readable(): readonly QueuedCheck[];
}

/** Lines that are shown at once; more of them come when their reader asks. */
const SHOWN = 300;

/** Builds the list; a line whose check is done can be opened, which calls `open`. */
export function batchList(
  checks: readonly QueuedCheck[],
  unread: readonly IntakeProblem[],
  isOfMail: boolean,
  locale: Locale,
  open: (check: QueuedCheck) => void,
): BatchList {
  const { say } = locale;
  const verdict = batchVerdict(checks, unread, locale);
  const lines = new Map<QueuedCheck, HTMLLIElement>();
  const kinds = new Map(checks.map((check) => [check, check.state]));
  let room = SHOWN;
  const list = html('ol', { class: 'batch-list' });
  const filter = batchFilter(checks, locale, arrange);
  const sort = html(
    'select',
    { id: 'batch-order', change: arrange },
    html('option', { value: 'worst' }, say('batch.worst')),
    html('option', { value: 'given' }, say('batch.given')),
  );
  const more = html('button', { type: 'button', click: showMore }, say('history.more'));
  const kept = html('p', { class: 'note' });
  let opened: QueuedCheck | null = null;
  let scheduled: ReturnType<typeof setTimeout> | null = null;
  arrange();
  const parts = [
    filter.element,
    batchTools({ checks, unread, visibleChecks }, locale, sort),
    kept,
    unread.map((problem) => unreadLine(problem, locale)),
    list,
    more,
  ];

  function visibleChecks(): readonly QueuedCheck[] {
    const kind: CheckKind | null = filter.kind();
    const ordered = sort.value === 'worst' ? worstFirst(checks) : checks;
    return kind === null ? ordered : ordered.filter((check) => checkKindOf(check) === kind);
  }

  /** Sorts the lines, but moves none that is in place, because a moved line loses the focus. */
  function arrange(): void {
    const all = visibleChecks();
    const wanted = all.slice(0, room).map(lineOf);
    more.hidden = all.length <= room;
    const isSame = wanted.length === list.children.length && wanted.every((line, i) => list.children[i] === line);
    if (!isSame) replaceChildren(list, wanted);
  }

  function showMore(): void {
    room += SHOWN;
    arrange();
  }

  function lineOf(check: QueuedCheck): HTMLLIElement {
    const known = lines.get(check);
    if (known) return known;
    const line = html('li', {});
    lines.set(check, line);
    draw(check, line);
    return line;
  }

  function draw(check: QueuedCheck, line: HTMLLIElement): void {
    line.className = check.state;
    const button = checkLine(check, locale, open);
    if (check === opened) button?.setAttribute('aria-current', 'true');
    replaceChildren(line, button ?? pendingLine(check, locale), linkNotes(check.link, say));
  }

  function refresh(): void {
    scheduled = null;
    filter.refresh();
    verdict.refresh();
    arrange();
  }

  return {
    element: isOfMail
      ? html('details', { class: 'batch card' }, html('summary', {}, say('batch.links')), parts)
      : html('section', { class: 'batch', 'aria-labelledby': 'batch-title' }, verdict.element, parts),
    noteKept(isKept) {
      kept.textContent = say(isKept ? 'batch.kept' : 'batch.notKept');
    },
    changed(check) {
      // Its stages are not shown here.
      if (kinds.get(check) === check.state) return;
      kinds.set(check, check.state);
      const line = lines.get(check);
      if (line) draw(check, line);
      if (scheduled === null) scheduled = setTimeout(refresh, REFRESH_MS);
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
    readable: () => visibleChecks().filter(({ result }) => result !== null),
  };
}

function pendingLine({ state, refusal, url }: QueuedCheck, locale: Locale): HTMLElement {
  const { say } = locale;
  const outcome = refusal
    ? html('span', { class: 'complaint' }, refusalText(refusal, locale))
    : state === 'stopped'
      ? html('span', { class: 'muted' }, say('check.stopped'))
      : html('span', { class: 'pending', 'aria-hidden': 'true' });
  return html('div', { class: 'line' }, outcome, shownUrl(url));
}

/** The verdict above the list of a batch. */
interface BatchVerdict {
  readonly element: HTMLElement;
  /** Shows what came of the checks meanwhile. */
  refresh(): void;
}

/** Builds the verdict on the links of a text, which are of a message if words stood around one of them. */
function batchVerdict(checks: readonly QueuedCheck[], unread: readonly IntakeProblem[], locale: Locale): BatchVerdict {
  const head = headline('batch-title', locale);
  const clicked = clickedHelp(locale.say);
  const element = html('div', {}, head.element, clicked);
  const isMessage = checks.some(({ link }) => link.words !== null || link.role !== undefined);
  const isPartUnread = unread.some(isUnseen);

  function refresh(): void {
    const kind = kindOfAll(checks, { isPartUnread });
    element.className = `verdict ${kind}`;
    head.show(checks, { isMessage, isPartUnread });
    clicked.hidden = isHarmless(kind) || kind === 'unchecked';
  }

  refresh();
  return { element, refresh };
}

/** Builds the filter by kind, with the number of checks of each; it calls `changed` once another kind is chosen. */
function batchFilter(checks: readonly QueuedCheck[], locale: Locale, changed: () => void) {
  const { say, format } = locale;
  let chosen: CheckKind | null = null;
  const buttons = new Map(
    ([null, ...KINDS] as const).map((kind) => {
      const figure = html('span', { class: 'figure' });
      const name =
        kind === null ? say('batch.all') : say(kind === 'unchecked' ? 'batch.unchecked' : `decision.${kind}.short`);
      const icon = kind !== null && kind !== 'unchecked' && decisionIcon(kind);
      const button = html(
        'button',
        { type: 'button', class: `kind ${kind ?? 'all'}`, click: () => choose(kind) },
        icon,
        name,
        ' ',
        figure,
      );
      return [kind, { button, figure }] as const;
    }),
  );

  function choose(kind: CheckKind | null): void {
    chosen = chosen === kind ? null : kind;
    refresh();
    changed();
  }

  function refresh(): void {
    const counts = countKinds(checks);
    for (const [kind, { button, figure }] of buttons) {
      const count = kind === null ? checks.length : counts[kind];
      figure.textContent = format.number(count);
      button.hidden = count === 0 && kind !== chosen;
      button.setAttribute('aria-pressed', String(kind === chosen));
    }
  }

  refresh();
  return {
    element: html(
      'div',
      { class: 'batch-filter', role: 'group', 'aria-label': say('batch.filter') },
      [...buttons.values()].map(({ button }) => button),
    ),
    /** The kind that was chosen; null for all. */
    kind: () => chosen,
    /** Counts again. */
    refresh,
  };
}

/** The batch to export. */
interface Batch {
  readonly checks: readonly QueuedCheck[];
  readonly unread: readonly IntakeProblem[];
  /** The checks that the filter shows, in their order. */
  visibleChecks(): readonly QueuedCheck[];
}

/** The order of the list, and its exports. */
function batchTools({ checks, unread, visibleChecks }: Batch, { say }: Locale, sort: HTMLElement): HTMLElement {
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
