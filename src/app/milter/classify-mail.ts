import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Decision } from '#src/engine/fusion/decide.ts';
import type { MessageLink } from '#src/engine/message/message-link.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { DeepFinding } from '#src/service/gate/gate.ts';
import type { LinkVerdict } from '#src/service/gate/rule.ts';

/** What classifies the links of mails. */
export interface MailClassifier {
  /** By the spelling and the lists. */
  verdict(target: Target): LinkVerdict;
  isInside(target: Target): boolean;
  /** Fixed decision of a URL for tests; null for any other. */
  canary(target: Target): 'allow' | 'block' | null;
  /** Probes a host within the budget; null if it is spent, the network is disabled, or probing failed. */
  probeHost(target: Target): Promise<DeepFinding | null>;
}

/** Verdict on one link. */
export interface LinkFinding {
  readonly target: Target;
  readonly decision: Decision;
  readonly probability: number;
  readonly rule: 'list-blocks' | 'deep' | 'spelling';
  /** Null if the host was not probed. */
  readonly observations: Observations | null;
}

/** Verdict on the links of a mail. */
export interface MailFinding {
  readonly links: number;
  readonly blocked: number;
  /** Null if no link can be classified. */
  readonly worst: LinkFinding | null;
  /** True if the words of a link name another host than its target. */
  readonly isMismatched: boolean;
  /** False if links may be missing. */
  readonly isWhole: boolean;
}

/** Maximum number of links of a mail that are classified, and of hosts that are probed. */
const MAX_LINKS = 200;
const MAX_PROBED = 4;

/** Time that probing may take; then the spelling decides, in milliseconds. */
const PROBE_MS = 4000;

/** Number of links that are classified before other work of the service takes its turn. */
const TOGETHER = 10;

const ORDER: Readonly<Record<Decision, number>> = { allow: 0, warn: 1, block: 2 };

/** Classifies the links of a mail: by their spelling and the lists, and doubtful ones by probing their hosts. */
export async function classifyLinks(
  links: readonly MessageLink[],
  classifier: MailClassifier,
  signal: AbortSignal,
): Promise<MailFinding> {
  const taken = links.slice(0, MAX_LINKS);
  const findings: LinkFinding[] = [];
  for (const [at, { url }] of taken.entries()) {
    if (at % TOGETHER === TOGETHER - 1) await nextTurn();
    if (signal.aborted) break;
    const target = parseTarget(url);
    if (!isTargetProblem(target)) findings.push(bySpelling(target, classifier));
  }
  const doubtful = new Map(
    findings
      .filter(({ decision, rule }) => decision === 'warn' && rule === 'spelling')
      .map((finding) => [finding.target.host.text, finding] as const),
  );
  const probed = await Promise.all(
    [...doubtful.values()].slice(0, MAX_PROBED).map((finding) => byProbing(finding, classifier)),
  );
  const all = [...findings.filter((finding) => !probed.some(({ target }) => target === finding.target)), ...probed];
  const [worst = null] = all.toSorted((a, b) => ORDER[b.decision] - ORDER[a.decision] || b.probability - a.probability);
  return {
    links: links.length,
    blocked: all.filter(({ decision }) => decision === 'block').length,
    worst,
    isMismatched: links.some(({ mismatch }) => mismatch !== null),
    isWhole: links.length <= MAX_LINKS && !signal.aborted,
  };
}

function bySpelling(target: Target, classifier: MailClassifier): LinkFinding {
  const canary = classifier.canary(target);
  const { probability, decision, listed } = classifier.verdict(target);
  const rule = (canary ?? listed) === null ? 'spelling' : 'list-blocks';
  const isAllowed = canary === 'allow' || (canary === null && listed === null && classifier.isInside(target));
  return {
    ...{ target, probability, rule, observations: null },
    decision: isAllowed ? 'allow' : (canary ?? listed ?? decision),
  };
}

async function byProbing(finding: LinkFinding, classifier: MailClassifier): Promise<LinkFinding> {
  const found = await Promise.race([classifier.probeHost(finding.target), wait(PROBE_MS, null, { ref: false })]);
  if (found === null || found.probability <= finding.probability) return finding;
  return { ...finding, ...found, rule: 'deep' };
}
