import { groupBySite, type SiteRank } from '#src/engine/message/site-groups.ts';
import { headline } from '../check/batch/headline.ts';
import { kindOfAll } from '../check/batch/kind-of-all.ts';
import { checkKindOf, countKinds, isHarmless, KINDS, worstFirst } from '../check/check-kind.ts';
import { checkLine, linkNotes } from '../check/check-line.ts';
import type { QueuedCheck } from '../check/check-queue.ts';
import { type Child, html, replaceChildren } from '../elements/dom.ts';
import { foreign, literal } from '../elements/literal.ts';
import { shownUrl } from '../elements/shown-url.ts';
import { clickedHelp } from '../result/clicked-help.ts';
import { reasonLine } from '../result/reasons/reason-list.ts';
import type { Locale } from '../shell/locale.ts';
import { mailFacts } from './mail-facts.ts';
import type { MailLocale } from './mail-locale.ts';
import type { MailCheck, OpenedMail } from './opened-mail.ts';

/** Maximum number of reasons that are shown. */
const SHOWN = 5;

/** Shows the verdict of the service on a mail: its probability, what its links add to it, and its strongest reasons. */
function wholeVerdict({ answer, isRefused }: MailCheck, checks: readonly QueuedCheck[], locale: MailLocale): Child {
  const { say, tell, format } = locale;
  if (answer === null) return isRefused && html('p', { class: 'note', role: 'status' }, tell('linksOnly'));
  const { decision, malicious_probability: probability, reasons } = answer;
  const leading = reasons.filter(({ weight }) => decision === 'allow' || weight > 0).slice(0, SHOWN);
  return html(
    'section',
    { class: 'why', 'aria-labelledby': 'mail-title' },
    html('p', {}, say('result.probability'), ' ', html('strong', {}, format.percent(probability))),
    linksLine(checks, locale),
    leading.length > 0 && html('h3', {}, say('result.reasons')),
    html(
      'ol',
      { class: 'reasons' },
      leading.map((reason) => reasonLine(reason, locale)),
    ),
  );
}

/** Counts the worst of the links; nothing if all are harmless or unchecked. */
function linksLine(checks: readonly QueuedCheck[], { say, format }: Locale): Child {
  const [worst] = worstFirst(checks);
  const kind = worst ? checkKindOf(worst) : 'unchecked';
  if (isHarmless(kind) || kind === 'unchecked') return null;
  const words = { count: format.number(countKinds(checks)[kind]), total: format.number(checks.length) };
  return html('p', {}, say(`headline.${kind}`, words));
}

/** A mail as a whole: one verdict, who sent it, and its links by site. */
export interface MailView {
  readonly element: HTMLElement;
  /** Shows what came of the checks meanwhile. */
  refresh(): void;
}

/** Links of one site, and sites, that are shown at once. */
const SHOWN_LINKS = 3;
const SHOWN_SITES = 12;

/** Checks of a mail: those of its links, and that of itself if it was sent. */
interface MailChecks {
  readonly checks: readonly QueuedCheck[];
  readonly whole: MailCheck | null;
}

/** Builds the view; a link whose check is done can be opened, which calls `open`. */
export function mailView(
  mail: OpenedMail,
  { checks, whole }: MailChecks,
  locale: MailLocale,
  open: (check: QueuedCheck) => void,
): MailView {
  const { say } = locale;
  const verdict = headline('mail-title', locale);
  const verdictOnAll = html('div', {});
  const decides = html('p', {});
  const clicked = clickedHelp(say);
  const groups = html('div', { class: 'mail-groups' });
  const opened = new Set<string>();
  const lines = new Map<QueuedCheck, { readonly state: string; readonly line: HTMLElement }>();

  function refresh(): void {
    const [worst] = groupBySite(checks, rankOf)[0]?.links ?? [];
    const isPartUnread = !mail.isWhole || mail.unread.length > 0 || isPartlyRead(whole);
    const isRisky = mail.attachments.some(({ risk }) => risk !== null && risk !== 'page');
    const decision = whole?.answer?.decision ?? null;
    const kind = kindOfAll(checks, { isPartUnread, isRisky, decision });
    element.dataset['kind'] = kind;
    element.className = `mail verdict ${kind}`;
    verdict.show(checks, { isMessage: true, isPartUnread, isRisky, decision });
    replaceChildren(verdictOnAll, whole && wholeVerdict(whole, checks, locale));
    replaceChildren(decides, worst && decidingLink(worst));
    clicked.hidden = isHarmless(kind) || kind === 'unchecked';
    replaceChildren(groups, groupParts());
  }

  function decidingLink(worst: QueuedCheck): Child {
    if (isHarmless(checkKindOf(worst)) || worst.result === null) return null;
    const button = html('button', { type: 'button', class: 'as-link', click: () => open(worst) }, shownUrl(worst.url));
    return [locale.tell('decides'), ' ', button];
  }

  function groupParts(): Child {
    const all = groupBySite(checks, rankOf);
    const isTelling = ({ links }: (typeof all)[number]) => links.some((check) => !isDecoy(check));
    const telling = all.filter(isTelling);
    // Show all groups if none is conspicuous.
    const shown = (telling.length === 0 ? all : telling).slice(0, SHOWN_SITES);
    const folded = all.filter((group) => !shown.includes(group));
    return [shown.map(group), folded.length > 0 && fold('', locale.tell('harmless'), () => folded.map(group), opened)];
  }

  function group({ site, links }: { readonly site: string; readonly links: readonly QueuedCheck[] }): HTMLElement {
    const rest = links.slice(SHOWN_LINKS);
    return html(
      'section',
      { class: 'mail-group' },
      html('h3', {}, literal(site)),
      html('ul', {}, links.slice(0, SHOWN_LINKS).map(lineOf)),
      rest.length > 0 &&
        fold(site, say.count('check.will.more', rest.length), () => html('ul', {}, rest.map(lineOf)), opened),
    );
  }

  /** Updates a line only if its check has changed, because a replaced line loses the focus. */
  function lineOf(check: QueuedCheck): HTMLElement {
    const known = lines.get(check);
    if (known?.state === check.state) return known.line;
    const line = html('li', {}, drawn(check));
    lines.set(check, { state: check.state, line });
    return line;
  }

  function drawn(check: QueuedCheck): Child {
    const { url, link } = check;
    const pending = html('span', { class: 'pending', 'aria-hidden': 'true' });
    return [
      checkLine(check, locale, open) ?? html('div', { class: 'line' }, pending, shownUrl(url)),
      sentence(check, mail),
      linkNotes(link, say),
    ];
  }

  const element = html(
    'section',
    { class: 'mail verdict', 'aria-labelledby': 'mail-title' },
    verdict.element,
    verdictOnAll,
    decides,
    clicked,
    mailFacts(mail, locale),
    checks.length > 0 && html('h3', {}, locale.tell('links')),
    groups,
  );
  refresh();
  return { element, refresh };
}

/** Returns true if the service allows a mail that it did not read whole; links beyond the limit are checked afterwards. */
function isPartlyRead(whole: MailCheck | null): boolean {
  return whole?.answer?.caution === true && whole.answer.links.every(({ decision }) => decision !== null);
}

/** The link in its sentence. */
function sentence({ url, link: { words } }: QueuedCheck, { sentences }: OpenedMail): Child {
  const around = sentences.get(url);
  if (around === undefined && words === null) return null;
  const { before, after } = around ?? { before: '', after: '' };
  return html(
    'p',
    { class: 'in-sentence', dir: 'auto' },
    before !== '' && [foreign(before), ' '],
    html('strong', {}, words === null ? shownUrl(url) : foreign(words)),
    after !== '' && [/^[\p{P}]/u.test(after) ? '' : ' ', foreign(after)],
  );
}

function isDecoy(check: QueuedCheck): boolean {
  return isHarmless(checkKindOf(check)) && check.link.mismatch === null;
}

function rankOf(check: QueuedCheck): SiteRank {
  const { result, url } = check;
  return {
    site: result?.analysis_details.host_parts.site ?? URL.parse(url)?.hostname ?? url,
    rank: KINDS.indexOf(checkKindOf(check)),
    probability: result?.malicious_probability ?? -1,
  };
}

/**
 * Creates a folded section; its content is created when it is opened. Each change of a check builds it again: `opened`
 * stores by `name` which sections are open.
 */
function fold(name: string, summary: string, content: () => Child, opened: Set<string>): HTMLElement {
  const place = html('div', {});
  const element = html('details', { open: opened.has(name), toggle: noteState }, html('summary', {}, summary), place);
  function noteState(): void {
    if (!element.open) opened.delete(name);
    else opened.add(name);
    if (element.open && place.childElementCount === 0) replaceChildren(place, content());
  }
  noteState();
  return element;
}
