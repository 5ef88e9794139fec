import type { Via } from '#src/checks/record/decided-by.ts';
import type { MessageItem, MessagePage } from '#src/checks/record/message-record.ts';
import type { Coverage } from '#src/engine/fusion/fuse.ts';
import { decisionChip } from '#src/interfaces/ui/elements/decision-marks.ts';
import { type Child, html, replaceChildren } from '#src/interfaces/ui/elements/dom.ts';
import { literal } from '#src/interfaces/ui/elements/literal.ts';
import { filterForm } from '#src/interfaces/ui/history/history-filter.ts';
import { historyList } from '#src/interfaces/ui/history/history-list.ts';
import { CONSOLE_FILTERS, filterIn, type HistoryFilter, queryOf } from '#src/interfaces/ui/history/history-query.ts';
import { csvButton } from '#src/interfaces/ui/history/history-view.ts';
import type { MailLocale } from '#src/interfaces/ui/mail/mail-locale.ts';
import { facts } from '#src/interfaces/ui/result/facts.ts';
import type { ShownLog } from '#src/parts/console/answers/console-answers.ts';
import { routeAddress } from '#src/parts/console-elements/api/console-api.ts';
import type { ConsoleParts } from '#src/parts/console-elements/console-parts.ts';
import { loaded } from '#src/parts/console-elements/elements/section.ts';
import { checkSource } from '#src/parts/console-elements/rows/check-source.ts';
import { mailLine } from '#src/parts/console-elements/rows/mail-line.ts';
import { hrefOfScreen } from '#src/parts/console-elements/screen-route.ts';

/** Maximum number of links of a message that are shown. */
const MAX_LINKS = 20;

/** The checks of messages in a log, the latest first, with the checks of their links. */
function messageList(query: Readonly<Record<string, string>>, log: 'public' | 'private', parts: ConsoleParts): Child {
  return pageOf(null);

  function pageOf(cursor: string | null): HTMLElement {
    return loaded(parts, read(cursor), ({ page: { items, next_cursor }, locale }) => [
      items.length === 0 && cursor === null && html('p', { class: 'history-status' }, locale.say('history.empty')),
      html(
        'ol',
        { class: 'history-list' },
        items.map((item) => messageLine(item, locale, parts)),
      ),
      next_cursor !== null && moreOf(next_cursor),
    ]);
  }

  function moreOf(cursor: string): HTMLElement {
    const place = html('div', {});
    const load = () => replaceChildren(place, pageOf(cursor));
    place.append(html('button', { type: 'button', click: load }, parts.locale.say('history.more')));
    return place;
  }

  async function read(cursor: string | null): Promise<{ page: MessagePage; locale: MailLocale }> {
    const asked = { ...query, kind: 'message', visibility: log, ...(cursor !== null && { cursor }) };
    const [page, { mailLocale }] = await Promise.all([
      parts.api.read<MessagePage>(`api/admin/checks?${new URLSearchParams(asked)}`, parts.leaving),
      import('#src/interfaces/ui/mail/mail-locale.ts'),
    ]);
    return { page, locale: await mailLocale(parts.locale) };
  }
}

function messageLine(item: MessageItem, locale: MailLocale, parts: ConsoleParts): HTMLElement {
  const { tell } = parts;
  const { format } = locale;
  const words = { count: format.number(item.link_count), unchecked: format.number(item.unchecked) };
  const leading = item.reasons.filter(({ weight }) => weight > 0 || item.decision === 'allow').slice(0, 3);
  const line = { ...item, reasons: leading.map(({ code }) => code) };
  return mailLine(line, locale, tell('history.message.links', words), () => [
    facts(item.via && [tell('row.via'), tell(`via.${item.via}`)]),
    item.links.length > 0 &&
      loaded(parts, readLinks(item, parts), (links) => html('ul', { class: 'plain' }, links.map(linkLine))),
  ]);

  function linkLine({ result }: ShownLog): Child {
    if (result === undefined) return null;
    const { decision, analysis_details } = result;
    const { say } = locale;
    return html('li', {}, decisionChip(decision, say), ' ', literal(analysis_details.normalized_url, 'mono'));
  }
}

/** Reads the checks of links, without those that were deleted since. */
async function readLinks({ links }: MessageItem, { api, leaving }: ConsoleParts): Promise<readonly ShownLog[]> {
  const read = async (id: string) =>
    (await api.read<ShownLog>(routeAddress(['admin', 'checks', id]), leaving).catch(() => null)) ?? [];
  return (await Promise.all(links.slice(0, MAX_LINKS).map(read))).flat();
}

const COVERAGE_NAMES = ['full', 'partial', 'url_only'] as const satisfies readonly Coverage[];
const VIA_NAMES = ['page', 'api', 'cli', 'gate', 'mail', 'misp'] as const satisfies readonly Via[];

/** The filters of a log by what was seen, how checks came, and what decided. */
function originFields(filter: HistoryFilter, { tell }: ConsoleParts): HTMLElement[] {
  const field = (label: string, input: HTMLElement) =>
    html('div', { class: 'field' }, html('label', { for: input.id }, label), input);
  const choice = (name: 'coverage' | 'via', words: readonly (readonly [string, string])[]) =>
    html(
      'select',
      { id: `history-${name}`, name },
      html('option', { value: '' }, tell('filter.any')),
      words.map(([value, text]) => html('option', { value, selected: filter[name] === value }, text)),
    );
  const text = (name: 'list' | 'entry' | 'reason') =>
    html('input', {
      ...{ type: 'search', id: `history-${name}`, name, value: filter[name] ?? '', maxlength: 255 },
      ...{ spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', dir: 'ltr' },
    });
  return [
    field(
      tell('row.seen'),
      choice(
        'coverage',
        COVERAGE_NAMES.map((name) => [name, tell(`coverage.${name}`)] as const),
      ),
    ),
    field(
      tell('row.via'),
      choice(
        'via',
        VIA_NAMES.map((name) => [name, tell(`via.${name}`)] as const),
      ),
    ),
    field(tell('row.list'), text('list')),
    field(tell('entry'), text('entry')),
    field(tell('row.reason'), text('reason')),
  ];
}

/** The public log, or with its scope the private one, with what can be done about a site. */
export function historyScreen(parts: ConsoleParts): Child {
  const { locale, tell, settings, leaving, filter: route, may } = parts;
  const { log, kind, ...rest } = route;
  const isPrivate = may('history.private') && (log === 'private' || !may('history'));
  const isOfMessages = kind === 'message';
  const chosen: Readonly<Record<string, string>> = {
    ...(isPrivate && { log: 'private' }),
    ...(isOfMessages && { kind: 'message' }),
  };
  const filter = filterIn(rest, CONSOLE_FILTERS);
  const query = queryOf(filter);
  const go = (to: Readonly<Record<string, string>>) => {
    const set = Object.entries(to).filter(([, value]) => value !== '');
    location.hash = hrefOfScreen('history', '', Object.fromEntries(set));
  };
  const visibility = isPrivate ? 'private' : 'public';
  const source = checkSource(visibility, parts);
  const lead = html('h2', { class: 'note' }, tell(isPrivate ? 'history.private.lead' : 'history.public.lead'));
  const choices = [
    may('history') &&
      may('history.private') &&
      toggle(tell('history.log'), Number(isPrivate), [
        [locale.say('check.public'), () => go({ ...chosen, log: '' })],
        [locale.say('check.private'), () => go({ ...chosen, log: 'private' })],
      ]),
    toggle(tell('history.kind'), Number(isOfMessages), [
      [tell('history.kind.url'), () => go({ ...chosen, kind: '' })],
      [tell('history.kind.message'), () => go({ ...chosen, kind: 'message' })],
    ]),
  ];
  if (isOfMessages) return [choices, lead, messageList({}, visibility, parts)];
  return [
    choices,
    filterForm(locale.say, filter, (set) => go({ ...chosen, ...set }), originFields(filter, parts)),
    csvButton(query, locale, source.load, leaving),
    lead,
    historyList(query, locale, settings, leaving, source),
  ];
}

/** Buttons of which one is chosen. */
function toggle(label: string, chosen: number, options: readonly (readonly [words: string, choose: () => void])[]) {
  return html(
    'div',
    { class: 'toggle', role: 'group', 'aria-label': label },
    options.map(([words, choose], at) =>
      html('button', { type: 'button', 'aria-pressed': String(at === chosen), click: choose }, words),
    ),
  );
}
