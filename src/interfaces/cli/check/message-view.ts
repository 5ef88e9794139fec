import { DECISIONS } from '#src/checks/record/check-result.ts';
import type { MessageRecord } from '#src/checks/record/message-record.ts';
import {
  describeMessageVerdict,
  isPartlyRead,
  type MessageVerdict,
  weighLink,
} from '#src/checks/record/message-verdict.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import type { VerdictSettings } from '#src/engine/assess/settings.ts';
import { assessMessage, type MessageModels, type MessageSettings } from '#src/engine/mail-verdict/assess-message.ts';
import { type MessageVerdictSettings, messageThresholds } from '#src/engine/mail-verdict/settings.ts';
import type { MailHead } from '#src/engine/message/mail-head.ts';
import { type Message, unreadParts } from '#src/engine/message/message.ts';
import { groupBySite, type SiteRank } from '#src/engine/message/site-groups.ts';
import type { CheckOutcome } from './check-one.ts';
import { shownDecision } from './check-text.ts';

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

/** Applies {@link isPartlyRead}. The site of the sender, which the command checks as well, is no link of a message. */
function isUnread(message: Message): boolean {
  const links = message.links.filter(({ role }) => role !== 'sender').length;
  return isPartlyRead({ isWhole: message.isWhole, links, unread: unreadParts(message).length });
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
        (isUnread(message) ||
          nonWeb.length > 0 ||
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

/** Models and base rate of checks. */
export interface MessageClassifier {
  readonly models: MessageModels;
  readonly settings: Pick<MessageSettings, 'baseRate'>;
}

/** Settings of verdicts on messages, and where the models are. */
type MessageConfig = MessageVerdictSettings & Pick<VerdictSettings, 'base_rate'> & Pick<StoreSettings, 'data_dir'>;

/**
 * Classifies a message by the outcomes of its links.
 *
 * @param classifier null if a service checked the links: the models of this program classify the message
 */
export async function messageVerdict(
  message: Message,
  outcomes: readonly CheckOutcome[],
  config: MessageConfig,
  classifier: MessageClassifier | null,
): Promise<MessageVerdict> {
  const { models, settings } = classifier ?? (await openOwn(config));
  const links = outcomes.flatMap((outcome) =>
    'result' in outcome ? [weighLink(outcome.result.url, outcome.result)] : [],
  );
  const options = { baseRate: settings.baseRate, thresholds: messageThresholds(config), people: config.own_people };
  return describeMessageVerdict(assessMessage(message, links, models, options));
}

/** Returns the record of a message that the command checked at a time, in milliseconds since the Unix epoch. */
export function recordOfMessage(
  { message, verdict }: Pick<MessageView, 'message' | 'verdict'>,
  outcomes: readonly CheckOutcome[],
  visibility: Visibility,
  nowMs: number,
): MessageRecord {
  const { isWhole } = message;
  const unread = unreadParts(message).length;
  const links = outcomes.map((outcome) => ({ request_id: 'result' in outcome ? outcome.result.request_id : null }));
  return {
    ...verdict,
    request_id: createRequestId(nowMs),
    visibility,
    via: 'cli',
    caution: verdict.decision === 'allow' && isUnread(message),
    is_whole: isWhole,
    link_count: links.length,
    unchecked: links.filter(({ request_id }) => request_id === null).length,
    unread,
    links,
    client: null,
  };
}

async function openOwn(config: MessageConfig): Promise<MessageClassifier> {
  const { openModels } = await import('#src/app/scoring/classifier.ts');
  return { models: await openModels(config.data_dir), settings: { baseRate: config.base_rate } };
}
