import type { CheckResult } from '#src/checks/record/check-result.ts';
import { inDisplayOrder } from '#src/checks/record/reasons/caution.ts';
import { isUnreadable, type LoggedResult } from '#src/checks/record/stored-result.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import { loadPageKnowledge, type PageKnowledge } from '#src/core/knowledge/index.ts';
import { hostOf } from '#src/core/url/host.ts';
import type { Decision } from '#src/engine/fusion/fuse.ts';
import { type CheckOutcome, describeTrace, type Extras, type InMessage } from './check-one.ts';

/** An outcome, or a check from a log. */
export type ShownOutcome = CheckOutcome | { readonly result: LoggedResult };

const SHOWN_REASONS = 3;
const LABEL_WIDTH = 6;

/** Below the URL of the first line. */
const INDENT = ' '.repeat(17);

/** Colour of a verdict without a page: neither that of a clean page nor that of a warning. */
const NEUTRAL = 1;

const COLOURS: Record<Decision | 'error', number> = { allow: 32, warn: 33, block: 31, error: 35 };

/** An outcome for a person: the verdict and the URL in one line, below it the three reasons that a person can do most with. */
export function describeOutcome(outcome: ShownOutcome, colour: boolean): string {
  const paint = (text: string, code: number) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const label = (text: Decision | 'error', mark = '') =>
    paint(`${text.toUpperCase()}${mark}`.padEnd(LABEL_WIDTH), mark === '' ? COLOURS[text] : NEUTRAL);
  if ('problem' in outcome) {
    const { url, detail, line } = outcome.problem;
    return `${label('error')}         ${visibleInTerminal(url)}\n${INDENT}line ${line}: ${visibleInTerminal(detail)}\n`;
  }
  const { result } = outcome;
  const percent = formatPercent(result.malicious_probability).padStart(7);
  const decision = isUnreadable(result) ? result.decision : shownDecision(result);
  const isUnseen = !isUnreadable(result) && decision === 'allow' && result.analysis_details.coverage !== 'full';
  const verdict = `${label(decision, isUnseen ? '?' : '')} ${percent}  ${visibleInTerminal(result.url)}\n`;
  if (isUnreadable(result)) return `${verdict}${INDENT}its record cannot be read: ${result.unreadable}\n`;
  const unseen = isUnseen ? `${INDENT}${describeCoverage(result)}\n` : '';
  const reasons = inDisplayOrder(result.analysis_details.reasons)
    .slice(0, SHOWN_REASONS)
    .map((reason) => {
      const weight = `${reason.weight < 0 ? '−' : '+'}${Math.abs(reason.weight).toFixed(2)}`.padStart(LABEL_WIDTH);
      return `         ${paint(weight, reason.weight < 0 ? 32 : 31)}  ${visibleInTerminal(reason.message)}\n`;
    });
  const finding = 'in_message' in result && result.in_message ? describeFinding(result.in_message, paint) : '';
  const caution =
    decision === 'allow' && result.analysis_details.caution
      ? `${INDENT}${paint('no clear phishing, but some signals call for caution', COLOURS.warn)}\n`
      : '';
  const trace = 'trace' in result && result.trace ? describeTrace(result.trace) : '';
  return `${verdict}${finding}${unseen}${caution}${reasons.join('')}${describeMissing(result, paint)}${trace}`;
}

/** Says why an allowed link is not called clean. */
function describeCoverage({ analysis_details: details }: CheckResult): string {
  return details.coverage === 'partial' ? 'the page was read partially' : `page not fetched: ${whyUnseen(details)}`;
}

function whyUnseen({ unavailable, status_code, html_available }: CheckResult['analysis_details']): string {
  const missed = unavailable.find(({ component }) => component === 'page')?.reason;
  if (missed === 'disabled') return 'no page was requested';
  if (missed) return missed.replaceAll('_', ' ');
  if (status_code >= 400) return `the server answered with status ${status_code}`;
  return html_available ? 'the response is a bot check, a portal or an empty page' : 'the response is not a page';
}

/** Descriptions of how a page leads to an address. */
const WAYS: Readonly<Record<NonNullable<InMessage['how']>, string>> = {
  form: 'a form of the page sends its fields here',
  script: 'a script of the page leads here',
  refresh: 'the page goes on here by itself',
  frame: 'the page shows this in a frame',
  sender: 'the domain of the sender',
  page: 'the page says that it was saved from here',
};

function describeFinding(
  { how, says, goes_to, hidden }: InMessage,
  paint: (text: string, code: number) => string,
): string {
  const way = how === undefined ? '' : `${INDENT}${WAYS[how]}\n`;
  if (hidden) {
    const detour = `the message says ${hidden.says}; this goes through ${hidden.through}, which hides the target`;
    return `${way}${INDENT}${paint(detour, COLOURS.warn)}\n`;
  }
  if (says === null || goes_to === null) return way;
  return `${way}${INDENT}${paint(`the message says ${says}, but this goes to ${goes_to}`, COLOURS.block)}\n`;
}

function describeMissing(result: CheckResult, paint: (text: string, code: number) => string): string {
  const missing = result.analysis_details.unavailable.filter(({ reason }) => reason !== 'disabled');
  if (missing.length === 0) return '';
  const list = missing.map(({ component, reason }) => `${component} (${reason.replaceAll('_', ' ')})`).join(', ');
  return `${INDENT}${paint(`unavailable: ${list}`, 2)}\n`;
}

/** A probability as a percentage for people: never `0 %` or `100 %` for what is neither. */
function formatPercent(probability: number): string {
  const percent = probability * 100;
  if (percent > 0 && percent < 0.1) return '<0.1 %';
  if (percent < 100 && percent > 99.9) return '>99.9 %';
  return `${percent.toFixed(1)} %`;
}

/** Opened for the first words that contradict their link: most messages have none. */
let knowledge: PageKnowledge | null = null;

/**
 * Returns the decision to show for a link of a message: at least a warning if its words are a brand's own address, and it
 * leads elsewhere. The check itself knows no words.
 */
export function shownDecision({ decision, in_message }: CheckResult & Extras): Decision {
  const { says = null, goes_to = null } = in_message ?? {};
  return decision === 'allow' && says !== null && goes_to !== null && isOfBrand(says, goes_to) ? 'warn' : decision;
}

function isOfBrand(says: string, goesTo: string): boolean {
  knowledge ??= loadPageKnowledge();
  const { ownersOf } = knowledge.brands;
  const [brand] = ownersOf(hostOf(says));
  return brand !== undefined && !ownersOf(hostOf(goesTo)).includes(brand);
}
