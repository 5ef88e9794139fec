import type { CheckResult } from '#src/checks/record/check-result.ts';
import { defang } from '#src/core/url/defang.ts';
import { visibleText } from '../elements/visible-text.ts';
import type { SentenceKey } from '../languages/language.ts';
import type { Locale } from '../shell/locale.ts';
import { whyUnseen } from './completeness.ts';
import { destinationOf } from './destination.ts';
import { leadingReasons } from './reasons/leading-reasons.ts';
import { type Piece, reasonPieces } from './reasons/reason-pieces.ts';
import { type ShownResult, stateOf } from './verdict-state.ts';

/** A result in a few words for other programs; nothing in it is a clickable link. */
export interface Summary {
  /** The verdict in words, the decision and the probability. */
  readonly verdict: string;
  /** Defanged. */
  readonly url: string;
  /** The defanged destination; null if it is the link itself. */
  readonly leadsTo: string | null;
  /** Caveats, such as that the page was not seen. */
  readonly notes: readonly string[];
  readonly reasons: readonly string[];
  /** Time of the check, in UTC. */
  readonly checked: string;
}

/** Sums a result up. */
export function summaryOf(shown: ShownResult, locale: Locale): Summary {
  const { say, format } = locale;
  const { result, mismatch } = shown;
  const { normalized_url } = result.analysis_details;
  const why = whyUnseen(result.analysis_details, say);
  const leadsTo = destinationOf(result.analysis_details);
  const probability = format.percent(result.malicious_probability);
  return {
    verdict: `${say(`decision.${stateOf(shown)}`)} (${result.decision}, ${probability})`,
    url: defang(normalized_url),
    leadsTo: leadsTo && defang(leadsTo),
    notes: [
      ...(why === null ? [] : [say('advice.unseen.too', { why })]),
      ...(mismatch ? [say('result.mismatch', { says: harmless(mismatch.says), goes: harmless(mismatch.goesTo) })] : []),
      ...(shown.isReversed ? [say('link.reversed')] : []),
    ],
    reasons: leadingReasons(result.analysis_details, stateOf(shown)).map((reason) =>
      visibleText(textOf(reasonPieces(reason, locale))),
    ),
    checked: say('result.checked', { time: utc(result) }),
  };
}

/** Creates a label with its value. */
export function labelled({ say }: Locale, label: SentenceKey, value: string): string {
  return say('phrase.labelled', { label: say(label), value });
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text, by }) => (by === 'host' ? harmless(text) : text)).join('');
}

/** A host with its dots marked. */
function harmless(host: string): string {
  return host.replaceAll('.', '[.]');
}

function utc({ timestamp }: CheckResult): string {
  return `${timestamp.slice(0, 19).replace('T', ' ')} UTC`;
}

/** Returns text for an analyst's ticket: verdict, defanged link, reasons, time in UTC, id. */
export function ticketText(shown: ShownResult, locale: Locale): string {
  const { verdict, url, leadsTo, notes, reasons, checked } = summaryOf(shown, locale);
  return [
    labelled(locale, 'history.decision', verdict),
    labelled(locale, 'component.url', url),
    ...(leadsTo === null ? [] : [labelled(locale, 'result.leadsTo', leadsTo)]),
    ...notes,
    labelled(locale, 'result.reasons', '').trimEnd(),
    ...reasons.map((reason) => `- ${reason}`),
    checked,
    labelled(locale, 'meta.id', shown.result.request_id),
  ].join('\n');
}

/** The same as a ticket, as Markdown (CommonMark, GitHub's extensions included) in which untrusted text stays text. */
export function markdownText(shown: ShownResult, locale: Locale): string {
  const { verdict, url, leadsTo, notes, reasons, checked } = summaryOf(shown, locale);
  const { request_id } = shown.result;
  return [
    `**${escaped(verdict)}**`,
    '',
    `- ${escaped(labelled(locale, 'component.url', ''))}${codeSpan(url)}`,
    ...(leadsTo === null ? [] : [`- ${escaped(labelled(locale, 'result.leadsTo', ''))}${codeSpan(leadsTo)}`]),
    ...notes.map((note) => `- ${escaped(note)}`),
    `- ${escaped(labelled(locale, 'result.reasons', '').trimEnd())}`,
    ...reasons.map((reason) => `  - ${escaped(reason)}`),
    '',
    escaped(`${checked} · ${labelled(locale, 'meta.id', request_id)}`),
  ].join('\n');
}

/** Every character that Markdown, or a program that makes links of addresses, could take for more than itself. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#<>!|~&:@]|\.(?=\S)|^[-+=]/g, (found) => `\\${found}`);
}

/** Text between more backticks than it holds in a row. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}
