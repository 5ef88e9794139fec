import type { MessageItem, MessagePage } from '#src/checks/record/message-record.ts';
import type { ShownLog } from '#src/service/server/admin/answers/check-answer.ts';
import { decisionChip } from '../../elements/decision-marks.ts';
import { type Child, html, replaceChildren } from '../../elements/dom.ts';
import { literal } from '../../elements/literal.ts';
import type { MailLocale } from '../../mail/mail-locale.ts';
import { facts } from '../../result/facts.ts';
import { routeAddress } from '../api/console-api.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { loaded } from '../elements/section.ts';
import { mailLine } from '../rows/mail-line.ts';

/** Maximum number of links of a message that are shown. */
const MAX_LINKS = 20;

/** The checks of messages in a log, the latest first, with the checks of their links. */
export function messageList(
  query: Readonly<Record<string, string>>,
  log: 'public' | 'private',
  parts: ConsoleParts,
): Child {
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
    const [{ value: page }, { mailLocale }] = await Promise.all([
      parts.api.read<MessagePage>(`api/admin/checks?${new URLSearchParams(asked)}`, parts.leaving),
      import('../../mail/mail-locale.ts'),
    ]);
    return { page, locale: mailLocale(parts.locale) };
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
    (await api.read<ShownLog>(routeAddress(['admin', 'checks', id]), leaving).catch(() => null))?.value ?? [];
  return (await Promise.all(links.slice(0, MAX_LINKS).map(read))).flat();
}
