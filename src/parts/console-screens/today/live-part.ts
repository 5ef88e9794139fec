import type { LiveCheck, LiveMail } from '#src/checks/record/activity.ts';
import type { HistoryPage } from '#src/checks/record/history-page.ts';
import { RefusalError } from '#src/interfaces/ui/api/api.ts';
import type { StreamEvent } from '#src/interfaces/ui/api/event-stream.ts';
import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import { historyLine } from '#src/interfaces/ui/history/history-line.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { section } from '#src/parts/console-elements/elements/section.ts';
import { trouble } from '#src/parts/console-elements/elements/trouble.ts';
import { checkSource } from '#src/parts/console-elements/rows/check-source.ts';
import { mailLine } from '#src/parts/console-elements/rows/mail-line.ts';

/** Rows that are shown; opened ones stay. */
const MAX_ROWS = 30;

/** Rows of before, so that the view is not empty when it opens. */
const FIRST_ROWS = '8';

/** A stream that was open for so long is opened again when it ends. */
const STEADY_MS = 5000;

/** The checks as they are logged, in the logs that the reader may see; nothing for others. */
export function livePart(parts: ConsoleParts): Child {
  const { tell, locale, settings, leaving, may, api } = parts;
  const logs = (['public', 'private'] as const).filter((log) => may(log === 'public' ? 'history' : 'history.private'));
  if (logs.length === 0) return null;
  const sources = { public: checkSource('public', parts), private: checkSource('private', parts) };
  const rows = html('ol', { class: 'history-list' });
  const state = html('p', { class: 'live-state', role: 'status' }, tell('live.waiting'));
  const said = html('div', { class: 'said' });
  const pause = html(
    'button',
    { type: 'button', 'aria-pressed': 'false', click: () => setPaused(!isPaused) },
    tell('live.pause'),
  );
  const again = html('button', { type: 'button', hidden: true, click: () => void follow() }, tell('live.again'));
  const lines = new Map<string, Element>();
  let [isPaused, missed, openedMs] = [false, 0, Number.POSITIVE_INFINITY];

  function setPaused(next: boolean): void {
    isPaused = next;
    missed = 0;
    pause.setAttribute('aria-pressed', String(isPaused));
    describe('live.on');
  }

  function describe(key: 'live.on' | 'live.waiting' | 'live.ended'): void {
    const paused = tell('live.paused', { count: locale.format.number(missed) });
    state.className = key === 'live.on' && !isPaused ? 'live-state is-on' : 'live-state';
    const skipped =
      missed > 0
        ? `${tell('live.on')} · ${tell('live.skipped', { count: locale.format.number(missed) })}`
        : tell('live.on');
    state.textContent = key === 'live.on' ? (isPaused ? paused : skipped) : tell(key);
  }

  function show(check: LiveCheck): void {
    if (lines.has(check.request_id)) return;
    add(check, historyLine(check, locale, settings.baseRate, sources[check.visibility]));
  }

  async function showMail(mail: LiveMail): Promise<void> {
    // The reasons of mails are loaded with the first of them.
    const { mailLocale } = await import('#src/interfaces/ui/mail/mail-locale.ts');
    const ofMails = await mailLocale(locale);
    add(mail, mailLine(mail, ofMails, tell('live.mail', { count: locale.format.number(mail.link_count) })));
  }

  function add({ request_id, visibility }: LiveCheck | LiveMail, line: HTMLElement): void {
    if (visibility === 'private') line.classList.add('is-private');
    rows.prepend(line);
    lines.set(request_id, line);
    for (const [id, old] of lines) {
      if (lines.size <= MAX_ROWS) break;
      if (old.querySelector('details[open]')) continue;
      old.remove();
      lines.delete(id);
    }
  }

  function take({ event, data }: StreamEvent): void {
    if (event === 'open') {
      openedMs = performance.now();
      describe('live.on');
    }
    if (event === 'skipped') missed += (JSON.parse(data) as { readonly checks: number }).checks;
    else if ((event === 'check' || event === 'mail') && isPaused) missed++;
    else if (event === 'check') show(JSON.parse(data) as LiveCheck);
    else if (event === 'mail') void showMail(JSON.parse(data) as LiveMail).catch(() => undefined);
    if (event === 'skipped' || isPaused) describe('live.on');
  }

  /** Follows the checks until the stream ends: with the session, the service, or the network. */
  async function follow(): Promise<void> {
    again.hidden = true;
    pause.hidden = false;
    replaceChildren(said);
    describe('live.waiting');
    try {
      await api.events('api/admin/live', take, leaving);
    } catch (error) {
      if (leaving.aborted) return;
      if (error instanceof RefusalError) replaceChildren(said, trouble(error, parts));
    }
    if (leaving.aborted) return;
    // If the session has ended, the answer leads to the form to sign in.
    if (performance.now() - openedMs > STEADY_MS) {
      openedMs = Number.POSITIVE_INFINITY;
      return await follow();
    }
    describe('live.ended');
    again.hidden = false;
    pause.hidden = true;
  }

  async function begin(): Promise<void> {
    for (const check of await latestOf(logs, parts)) show(check);
  }

  // A log that cannot be read now does not keep the stream from it.
  void begin()
    .catch(() => undefined)
    .then(follow);
  return section(tell('live'), html('div', { class: 'live-head' }, state, pause, again), said, rows);
}

/** Reads the latest checks of logs, the oldest of them first. */
async function latestOf(
  logs: readonly LiveCheck['visibility'][],
  { api, leaving }: ConsoleParts,
): Promise<readonly LiveCheck[]> {
  const pages = await Promise.all(
    logs.map(async (visibility) => {
      const query = new URLSearchParams({ limit: FIRST_ROWS, visibility });
      const { items } = await api.read<HistoryPage>(`api/admin/checks?${query}`, leaving);
      return items.map((item) => ({ ...item, visibility }));
    }),
  );
  const newest = pages.flat().toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
  return newest.slice(0, Number(FIRST_ROWS)).toReversed();
}
