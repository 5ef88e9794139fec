import { html, replaceChildren } from '../../elements/dom.ts';
import { refusalText } from '../../elements/refusal-text.ts';
import { shownUrl } from '../../elements/shown-url.ts';
import { clickedHelp } from '../../result/clicked-help.ts';
import type { Locale } from '../../shell/locale.ts';
import { type CheckKind, checkKindOf, isHarmless, worstFirst } from '../check-kind.ts';
import { checkLine } from '../check-line.ts';
import type { QueuedCheck } from '../check-queue.ts';
import { type IntakeProblem, isUnseen } from '../intake/intake-problem.ts';
import { unreadLine } from '../intake/unread-line.ts';
import { linkNotes } from '../link-notes.ts';
import { batchFilter } from './batch-filter.ts';
import { batchTools } from './batch-tools.ts';
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
