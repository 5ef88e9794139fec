import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import {
  LINK_PLACE,
  type PackedLink,
  type PackedLinks,
  packedLinks,
  someUrlOf,
  urlOf,
} from '#src/app/message/packed-links.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Decision } from '#src/engine/fusion/fuse.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import type { DeepFinding } from '#src/parts/proxy/gate/gate.ts';
import type { LinkVerdict } from '#src/parts/proxy/gate/link-verdicts.ts';

/** Classifier of the links of mails. */
export interface MailClassifier {
  /** Returns false only if no list that `asks` names covers the URL between two places of `bytes`. Makes no objects. */
  mayBeListed(bytes: Uint8Array, from: number, to: number, asks: 'all' | 'blocklists'): boolean;
  /** Returns the verdict of the lists alone: null if none covers the link, or none decides alone. */
  listed(target: Target): LinkVerdict['listed'];
  /** Returns the verdict of spelling and lists. */
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
export interface LinksFinding {
  readonly blocked: number;
  /** Null if no link can be classified. */
  readonly worst: LinkFinding | null;
  /** All links that were classified. */
  readonly all: readonly LinkFinding[];
  /** False if the links of a site have no verdict. */
  readonly isWhole: boolean;
}

/** Maximum number of hosts that are probed, and of blocked links: beyond, no further link is looked up. */
const MAX_PROBED = 4;
const MAX_BLOCKED = 500;

/** Time that probing may take; then the spelling decides, in milliseconds. */
const PROBE_MS = 4000;

/** Number of links that are searched, parsed, and classified before other work takes its turn. */
const SEARCHED_TOGETHER = 200;
const PARSED_TOGETHER = 25;
const CLASSIFIED_TOGETHER = 10;

const ORDER: Readonly<Record<Decision, number>> = { allow: 0, warn: 1, block: 2 };

/**
 * Classifies the links of a mail, the most important first: all of them by the lists, candidates by their spelling, and
 * doubtful ones by probing their hosts.
 */
export async function classifyLinks(
  links: PackedLinks,
  classifier: MailClassifier,
  signal: AbortSignal,
): Promise<LinksFinding> {
  const { decided, open, isWhole } = await lookUpAll(links, classifier, signal);
  const bySpelling: LinkFinding[] = [];
  for (const [at, target] of open.entries()) {
    if (at % CLASSIFIED_TOGETHER === CLASSIFIED_TOGETHER - 1) await nextTurn();
    if (signal.aborted) break;
    bySpelling.push({ ...classifier.verdict(target), target, rule: 'spelling', observations: null });
  }
  const doubtful = new Map(
    bySpelling.filter(({ decision }) => decision === 'warn').map((finding) => [finding.target.host.text, finding]),
  );
  const toProbe = signal.aborted ? [] : [...doubtful.values()].slice(0, MAX_PROBED);
  const probed = await Promise.all(toProbe.map((finding) => byProbing(finding, classifier, signal)));
  const all = [...decided, ...bySpelling.filter((finding) => !toProbe.includes(finding)), ...probed];
  const [worst = null] = all.toSorted((a, b) => ORDER[b.decision] - ORDER[a.decision] || b.probability - a.probability);
  return {
    blocked: all.filter(({ decision }) => decision === 'block').length,
    worst,
    all,
    isWhole: isWhole && bySpelling.length === open.length,
  };
}

/** Links once the lists were asked. */
interface LookedUp {
  /** Links that a list, a canary or the operator's own domains decide. */
  readonly decided: readonly LinkFinding[];
  /** Links to classify by their spelling. */
  readonly open: readonly Target[];
  /** False if a link was not looked up, or a site has no link among these. */
  readonly isWhole: boolean;
}

/** Only candidates, and links that a list may cover, become objects. */
async function lookUpAll(links: PackedLinks, classifier: MailClassifier, signal: AbortSignal): Promise<LookedUp> {
  const decided: LinkFinding[] = [];
  const open: Target[] = [];
  let isWhole = true;
  let [searched, parsed, blocked] = [0, 0, 0];
  for (const link of packedLinks(links)) {
    if (++searched % SEARCHED_TOGETHER === 0) await nextTurn();
    if (signal.aborted || blocked === MAX_BLOCKED) return { decided, open, isWhole: false };
    const isCandidate = link.place === LINK_PLACE.candidate;
    const isBeyond = link.place === LINK_PLACE.beyond;
    const target = targetOf(links, link, classifier);
    const finding = target && withoutSpelling(target, classifier);
    if (target && ++parsed % PARSED_TOGETHER === 0) await nextTurn();
    if (finding?.decision === 'block') blocked += 1;
    if (finding !== null) decided.push(finding);
    else if (isBeyond) isWhole = false;
    else if (target && isCandidate) open.push(target);
  }
  return { decided, open, isWhole };
}

/** Returns the target of a candidate, and of a link that a list may cover; null for any other link. */
function targetOf(links: PackedLinks, link: Readonly<PackedLink>, { mayBeListed }: MailClassifier): Target | null {
  const asks = link.place === LINK_PLACE.beyond ? 'all' : 'blocklists';
  const mayBe = (bytes: Uint8Array, from: number, to: number) => mayBeListed(bytes, from, to, asks);
  if (link.place !== LINK_PLACE.candidate && !someUrlOf(links, link, mayBe)) return null;
  const target = parseTarget(urlOf(links, link));
  return isTargetProblem(target) ? null : target;
}

/** Returns what the lists, a canary or the operator's own domains decide of a link; null if the spelling decides. */
function withoutSpelling(target: Target, classifier: MailClassifier): LinkFinding | null {
  const decision = classifier.canary(target) ?? classifier.listed(target);
  const isInside = decision === null && classifier.isInside(target);
  if (decision === null && !isInside) return null;
  const { probability } = classifier.verdict(target);
  const rule = decision === null ? 'spelling' : 'list-blocks';
  return { target, probability, rule, decision: decision ?? 'allow', observations: null };
}

async function byProbing(finding: LinkFinding, classifier: MailClassifier, signal: AbortSignal): Promise<LinkFinding> {
  const late = wait(PROBE_MS, null, { ref: false, signal }).catch(() => null);
  const found = await Promise.race([classifier.probeHost(finding.target), late]);
  if (found === null || found.probability <= finding.probability) return finding;
  return { ...finding, ...found, rule: 'deep' };
}
