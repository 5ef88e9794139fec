import { DECISIONS } from '#src/checks/record/check-result.ts';
import type { MessageVerdict } from '#src/checks/record/message-verdict.ts';
import type { MailHead } from '#src/engine/message/mail-head.ts';
import { type Message, unreadParts } from '#src/engine/message/message.ts';
import { groupBySite, type SiteRank } from '#src/engine/message/site-groups.ts';
import type { CheckOutcome } from './check-one.ts';
import { shownDecision } from './shown-decision.ts';

/** A message as a whole, with what came of its links. */
export interface MessageView {
  readonly message: Message;
  readonly verdict: MessageVerdict;
  /** By site, the most dangerous first. */
  readonly sites: readonly { readonly site: string; readonly links: readonly CheckOutcome[] }[];
  /** Outcome of the most dangerous link; null if none was checked. */
  readonly worst: Extract<CheckOutcome, { result: unknown }> | null;
  /** Number of links and parts without a verdict, which that of the message does not include. */
  readonly unchecked: number;
}

/** Views a message by its verdict, and by the outcomes of all its links. */
export function viewMessage(message: Message, outcomes: readonly CheckOutcome[], verdict: MessageVerdict): MessageView {
  const sites = groupBySite(outcomes, rankOf);
  const [worst] = sites[0]?.links ?? [];
  return {
    message,
    verdict,
    sites,
    worst: worst && 'result' in worst ? worst : null,
    unchecked: outcomes.filter((outcome) => 'problem' in outcome).length + unreadParts(message).length,
  };
}

/** Returns true if a link is inconspicuous, and so may hide another one among many. */
export function isDecoy(outcome: CheckOutcome): boolean {
  return 'result' in outcome && shownDecision(outcome.result) === 'allow' && !needsCaution(outcome);
}

function needsCaution({ result }: Extract<CheckOutcome, { result: unknown }>): boolean {
  return result.analysis_details.caution || (result.in_message?.says ?? null) !== null;
}

/**
 * Ranks an outcome; the most dangerous first: block, warn, an allowed link that needs caution, a problem, any other.
 */
function rankOf(outcome: CheckOutcome): SiteRank {
  if ('problem' in outcome) return { site: hostOf(outcome.problem.url), rank: 3, probability: -1 };
  const { malicious_probability: probability, analysis_details } = outcome.result;
  const decision = shownDecision(outcome.result);
  const rank = decision === 'allow' ? (needsCaution(outcome) ? 2 : 4) : 2 - DECISIONS.indexOf(decision);
  return { site: analysis_details.host_parts.site, rank, probability };
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname || '-';
}

/** The view as JSON, with names as the API writes them. */
export function messageJson({ message, verdict, sites, worst, unchecked }: MessageView): object {
  const { kind, head, attachments, nonWeb, isWhole, sentences } = message;
  const written = (outcome: CheckOutcome) => {
    if ('problem' in outcome) return outcome.problem;
    return { ...outcome.result, sentence: sentences.get(outcome.result.url) ?? null };
  };
  return {
    message: {
      kind,
      ...verdict,
      caution:
        verdict.decision === 'allow' &&
        (nonWeb.length > 0 ||
          attachments.some(({ risk }) => risk !== null && risk !== 'page') ||
          (worst !== null && (shownDecision(worst.result) !== 'allow' || needsCaution(worst)))),
      decided_by: worst?.result.url ?? null,
      unchecked,
      ...(head && headJson(head)),
      attachments: attachments.map(({ name, contentType, sizeBytes, risk }) => ({
        name,
        content_type: contentType,
        size_bytes: sizeBytes,
        risk,
      })),
      not_web: nonWeb,
      not_read: unreadParts(message),
      is_whole: isWhole,
    },
    sites: sites.map(({ site, links }) => ({ site, links: links.map(written) })),
  };
}

function headJson({ nameMismatch, replyTo, replyToIs, returnPath, returnPathIs, ...head }: MailHead): object {
  return {
    ...head,
    name_mismatch: nameMismatch && { says: nameMismatch.says, goes_to: nameMismatch.goesTo },
    reply_to: replyTo,
    reply_to_is: replyToIs,
    return_path: returnPath,
    return_path_is: returnPathIs,
  };
}
