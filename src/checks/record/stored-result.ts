import { isObject } from '#src/core/base/guard.ts';
import type { Coverage } from '#src/engine/fusion/fuse.ts';
import { WAYS } from '#src/engine/reasons/catalogue.ts';
import type { ReasonArgs } from '#src/engine/reasons/reason.ts';
import { argOf, entriesByCode } from '#src/engine/reasons/sentence.ts';
import type { AnalysisDetails, CheckResult, CounterfactualReason, Reason } from './check-result.ts';
import { decidingEntry, type Provenance, viaOfGate } from './decided-by.ts';
import { needsCaution } from './reasons/caution.ts';
import { readCounterfactual } from './reasons/explain.ts';

type Details = StoredResult['analysis_details'];
type Redirect = AnalysisDetails['redirects'][number];

/** A redirect in version 1 of packed records. */
type FirstRedirect = Pick<Redirect, 'url' | 'status' | 'location' | 'address'> & Partial<Redirect>;

/** A result in version 1 of packed records. */
export interface FirstResult extends Omit<StoredResult, 'analysis_details'> {
  readonly analysis_details: Omit<Details, 'coverage' | 'caution' | 'redirects'> &
    Partial<Pick<Details, 'coverage' | 'caution'>> & { readonly redirects: readonly FirstRedirect[] };
}

/**
 * Completes a stored result of version 1. Coverage and caution are derived from the record; the score of a redirect's
 * target is unknown, and null. Members keep their order.
 */
export function completeResult(result: FirstResult): StoredResult {
  const { analysis_details: details } = result;
  if (details.coverage !== undefined && details.caution !== undefined) return result as StoredResult;
  const { probability, ...rest } = details;
  const coverage = details.coverage ?? coverageIn(details);
  const caution = details.caution ?? needsCaution(result);
  const redirects = details.redirects.map(completeRedirect);
  return { ...result, analysis_details: { probability, coverage, caution, ...rest, redirects } };
}

function completeRedirect(redirect: FirstRedirect): Redirect {
  const { status } = redirect;
  const how = status !== null && status >= 300 && status < 400 ? 'http' : 'refresh';
  return { ...redirect, how, followed: true, malicious_probability: null, decision: null };
}

/** Reasons for a page that was not read completely. */
const INCOMPLETE = new Set(['page.not_seen_whole', 'page.padded', 'page.too_little_read']);

function coverageIn({ html_available, status_code, reasons }: FirstResult['analysis_details']): Coverage {
  if (!html_available || status_code >= 400) return 'url_only';
  return reasons.some(({ code }) => INCOMPLETE.has(code)) ? 'partial' : 'full';
}

/** Sentences of version 0.1 that were reworded since, by the numbers of their rows. */
const FORMER_SENTENCES: ReadonlyMap<number, string> = new Map([
  [2, '“{name}” is put together like the names of phishing sites.'],
  [7, 'An IP address stands in place of a name.'],
  [19, '{count} subdomains stand in front of the name.'],
  [23, 'Words such as login or verify stand in the host.'],
  [24, 'Words such as login or verify stand in the path.'],
  [25, 'Words such as login or verify stand in the host and the path.'],
  [31, 'A user name stands in front of the host.'],
  [41, "“{found}” stands under {platform}, where anyone can publish, but {domain} is {brand}'s domain."],
  [50, "“{found}” stands under .{suffix}, but {domain} is {brand}'s domain."],
  [114, 'The page asks for a login and checks whether a program is looking at it.'],
  [117, 'The page is longer than what is read of a page, or ended early: part of it was not judged.'],
  [133, "This box was taught that {site} is {brand}'s own domain."],
  [134, 'This box was taught to watch over {brand}.'],
  [135, 'This box was taught to watch over the brand whose page this looks like.'],
  [136, 'The host is the bare address {address}, which has no name to go by.'],
]);

/**
 * Returns the `args` of a reason of version 0.1, which stored only the sentence, as for each reason about another URL.
 * Empty for a sentence that is not in the catalogue, or was truncated.
 */
export function argsInSentence(code: string, message: string): ReasonArgs {
  for (const [, how, beginning] of WAYS) {
    const before = beginning.slice(0, beginning.indexOf('{'));
    const end = message.startsWith(before) ? message.indexOf('. ', before.length) : -1;
    const inside = message.slice(before.length, end);
    if (end === -1 || inside === '' || /\s/.test(inside)) continue;
    return { ...argsInSentence(code, message.slice(end + 2)), inside, ...(how !== 'inside' && { how }) };
  }
  for (const { number, kind, gaps, words } of entriesByCode(code)) {
    const former = FORMER_SENTENCES.get(number)?.split(/\{\w+\}/);
    const texts = textsBetween(message, words) ?? (former ? textsBetween(message, former) : null);
    if (texts === null) continue;
    const named = gaps.map((gap, i): [string, string | number] => [gap, argOf(gap, texts[i] ?? '')]);
    return { ...(kind !== null && { kind }), ...Object.fromEntries(named) };
  }
  return {};
}

/** Returns the texts between the words of a sentence; null for another sentence. */
function textsBetween(text: string, [first = '', ...words]: readonly string[]): string[] | null {
  if (!text.startsWith(first)) return null;
  const last = words.pop();
  if (last === undefined) return text === first ? [] : null;
  const texts: string[] = [];
  let from = first.length;
  for (const word of words) {
    const at = text.indexOf(word, from);
    if (at === -1) return null;
    texts.push(text.slice(from, at));
    from = at + word.length;
  }
  if (!text.endsWith(last) || text.length - last.length < from) return null;
  return [...texts, text.slice(from, text.length - last.length)];
}

/**
 * A result as it is stored: the counterfactual reason is derived from its text, how the check came about is in columns of
 * its row, and reasons of version 0.1 have no `args`.
 */
export interface StoredResult extends Omit<CheckResult, 'analysis_details'> {
  readonly analysis_details: Omit<
    AnalysisDetails,
    'reasons' | 'counterfactual_reason' | 'render' | keyof Provenance
  > & {
    /** Absent without a browser. */
    readonly render?: AnalysisDetails['render'] | undefined;
    readonly reasons: readonly (Omit<Reason, 'args'> & Partial<Pick<Reason, 'args'>>)[];
  };
}

/** Members that are not stored. JSON omits them, and copying an object without some members takes several times longer. */
const DERIVED = { counterfactual_reason: undefined, via: undefined, decided_by: undefined };

/** Returns the stored form of a result. */
export function toStored(result: CheckResult): StoredResult {
  const { analysis_details: details } = result;
  return { ...result, analysis_details: { ...details, ...DERIVED, render: details.render ?? undefined } };
}

/**
 * Returns the result of a stored form. What an earlier version did not store about how the check came about is derived from
 * the record.
 */
export function fromStored(stored: StoredResult, { via, decided_by }: Provenance): CheckResult {
  const { analysis_details: details } = stored;
  const reasons = details.reasons.map(({ component, code, message, args, weight }) => ({
    ...{ component, code, message },
    args: isObject(args) ? args : argsInSentence(code, message),
    weight,
  }));
  const counterfactual_reason = decisiveIn(details.counterfactual, reasons);
  const decided = via === null ? decidingEntry(stored.decision, reasons, counterfactual_reason) : null;
  const provenance = {
    via: via ?? viaOfGate(details.gate),
    decided_by: decided_by ?? (decided && { ...decided, source: null }),
  };
  const { render = null } = details;
  return { ...stored, analysis_details: { ...details, reasons, counterfactual_reason, ...provenance, render } };
}

function decisiveIn(counterfactual: string | null, reasons: readonly Reason[]): CounterfactualReason | null {
  const said = counterfactual === null ? null : readCounterfactual(counterfactual);
  const reason = said && reasons.find(({ message }) => message === said.sentence);
  return reason ? { decision: said.decision, code: reason.code, args: reason.args } : null;
}

/** A check whose record cannot be read. */
export interface UnreadableResult
  extends Pick<CheckResult, 'url' | 'malicious_probability' | 'decision' | 'timestamp' | 'request_id'> {
  readonly analysis_details: null;
  /** Why it cannot be read, as the end of a sentence. */
  readonly unreadable: string;
}

/** A result read from a log. */
export type LoggedResult = CheckResult | UnreadableResult;

/** Returns true if the record could not be read. */
export function isUnreadable(result: LoggedResult): result is UnreadableResult {
  return result.analysis_details === null;
}

/** Returns a result as its log shows it; `not_delivered` is set if no client received the answer. */
export function shownResult({
  result,
  isDelivered,
}: {
  readonly result: LoggedResult;
  readonly isDelivered: boolean;
}): LoggedResult & { readonly not_delivered?: true } {
  return isDelivered ? result : { ...result, not_delivered: true };
}
