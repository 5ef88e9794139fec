import type { CheckResult } from '#src/record/check-result.ts';
import { inTellingOrder } from '#src/record/reasons/telling-order.ts';
import { defang } from '#src/url/defang.ts';
import { visibleText } from '../elements/visible-text.ts';
import type { SentenceKey } from '../languages/language.ts';
import type { Locale } from '../shell/locale.ts';
import { destinationOf } from './destination.ts';
import { type Piece, reasonPieces } from './reason-pieces.ts';
import { lookOf, type ShownResult } from './shown-result.ts';
import { whyUnseen } from './unseen-words.ts';

/** Reasons that stand in a ticket. */
const REASONS = 3;

/** What an analyst puts into a ticket: the verdict, the link so that nobody clicks on it, the reasons, the time in UTC, the id. */
export function ticketText(shown: ShownResult, locale: Locale): string {
  const { say, format } = locale;
  const { result, mismatch } = shown;
  const { normalized_url, reasons } = result.analysis_details;
  const why = whyUnseen(result.analysis_details, say);
  const leadsTo = destinationOf(result.analysis_details);
  const labelled = (label: SentenceKey, value: string) => say('phrase.labelled', { label: say(label), value });
  const probability = format.percent(result.malicious_probability);
  return [
    labelled('history.decision', `${say(`decision.${lookOf(shown)}`)} (${result.decision}, ${probability})`),
    labelled('component.url', defang(normalized_url)),
    ...(leadsTo === null ? [] : [labelled('result.leadsTo', defang(leadsTo))]),
    ...(why === null ? [] : [say('advice.unseen.too', { why })]),
    ...(mismatch ? [say('result.mismatch', { says: harmless(mismatch.says), goes: harmless(mismatch.goesTo) })] : []),
    labelled('result.reasons', '').trimEnd(),
    ...inTellingOrder(reasons)
      .slice(0, REASONS)
      .map((reason) => `- ${visibleText(textOf(reasonPieces(reason, locale)))}`),
    `${say('result.checked', { time: utc(result) })}`,
    labelled('meta.id', result.request_id),
  ].join('\n');
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
