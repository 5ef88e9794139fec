import type { GateWay } from '#src/checks/record/decided-by.ts';
import { type Clock, HOUR_MS, MINUTE_MS, oncePerMinute } from '#src/core/base/clock.ts';
import { type Logger, stackFrames } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { isInside } from '#src/core/knowledge/inside.ts';
import { isTargetProblem, MAX_URL_LENGTH, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Decision } from '#src/engine/fusion/fuse.ts';
import type { Observations } from '#src/network/probes/observations.ts';
import { createExpiringMemory, createHeldRequests } from './expiring-memory.ts';
import {
  createLinkVerdicts,
  type GateRule,
  isHolding,
  isListRule,
  isUnexamined,
  type LinkClassifier,
  type LinkVerdict,
  ruleFor,
} from './link-verdicts.ts';
import type { GateSettings } from './settings.ts';

/** Dependencies of deep lookups. */
interface DeepLookupParts {
  /** Must not reject. */
  lookUp(target: Target, client: string | null): Promise<void>;
  readonly perMinute: () => number;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** Hosts that are remembered as looked up; clients that may wait, and hosts that each of them may have waiting. */
const MAX_HOSTS = 50_000;
const MAX_CLIENTS = 1000;
const MAX_WAITING = 8;

/**
 * Creates an empty queue of lookups of hosts after a doubtful request passed. The budget of a minute may be used at
 * once, and refills evenly. Disposing of it forgets what waits.
 */
function createDeepLookups({ lookUp, perMinute, clock }: DeepLookupParts) {
  const known = createExpiringMemory<true>(clock, HOUR_MS, MAX_HOSTS);
  // The client in turn comes first; a served client with more hosts moves to the end.
  const waiting = new Map<string | null, Target[]>();
  let budget = perMinute();
  let countedMs = clock.monotonicMs();
  let timer: Timer | null = null;

  function refill(): void {
    const nowMs = clock.monotonicMs();
    budget = Math.min(perMinute(), budget + ((nowMs - countedMs) * perMinute()) / MINUTE_MS);
    countedMs = nowMs;
  }

  function run(): void {
    refill();
    for (const [client, targets] of waiting) {
      if (budget < 1) break;
      const next = targets.shift();
      waiting.delete(client);
      if (next === undefined) continue;
      if (targets.length > 0) waiting.set(client, targets);
      budget--;
      void lookUp(next, client);
    }
    if (waiting.size === 0 || perMinute() === 0 || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      run();
    }, MINUTE_MS / perMinute());
    timer.unref();
  }

  return {
    /** Queues a host, unless it was looked up within the last hour. Clients take turns. */
    add(target: Target, client: string | null) {
      const host = target.host.text;
      if (perMinute() === 0 || known.get(host) !== null) return;
      const own = waiting.get(client);
      if (own ? own.length >= MAX_WAITING : waiting.size >= MAX_CLIENTS) return;
      known.set(host, true);
      if (own) own.push(target);
      else waiting.set(client, [target]);
      run();
    },
    [Symbol.dispose]() {
      if (timer !== null) clearTimeout(timer);
      waiting.clear();
    },
  };
}

const SCHEME = /^\s*([a-z][a-z0-9+.-]*):[\\/]{2,}/i;
/** End of an authority (WHATWG URL, "authority state"), or of a path. */
const [AUTHORITY_END, PATH_END] = [/[\\/?#]/, /[?#]/];

/**
 * Returns a URL that a check would refuse as far as lists need it: host, port and path, as if it were a web address. Null
 * if it names no host. A path that is too long is cut at a slash, so that every entry above the cut still covers it.
 */
function listTargetOf(url: string): Target | null {
  const scheme = SCHEME.exec(url);
  if (scheme === null) return null;
  const [authority, rest] = splitAt(url.slice(scheme[0].length), AUTHORITY_END);
  const [path] = splitAt(rest, PATH_END);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const web = `${scheme[1]?.toLowerCase() === 'https' ? 'https' : 'http'}://${host}`;
  const room = MAX_URL_LENGTH - web.length;
  if (room < 1) return null;
  const target = parseTarget(
    `${web}${path.length <= room ? path : path.slice(0, path.lastIndexOf('/', room - 1) + 1)}`,
  );
  return isTargetProblem(target) ? null : target;
}

function splitAt(text: string, end: RegExp): readonly [before: string, from: string] {
  const at = text.search(end);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

/** Outcomes of requests, as metrics count them. */
const GATE_OUTCOMES = ['passed', 'held', 'would_hold', 'late', 'unreadable', 'failed'] as const;

export type GateOutcome = (typeof GATE_OUTCOMES)[number];

/** Outcome of a request, for metrics. */
interface AnsweredGateRequest {
  readonly way: GateWay;
  readonly outcome: GateOutcome;
  /** Duration of the decision. */
  readonly seconds: number;
  /** True if it passed, and nothing says that it is harmless. */
  readonly isUnexamined: boolean;
}

/** A request that a proxy asks about. */
export interface GateRequest {
  readonly way: GateWay;
  /** Null if it names none. */
  readonly url: string | null;
  readonly isNavigation: boolean;
  /** Address of the client; null if it is unknown. */
  readonly client: string | null;
  /** Name of the user; null if it is unknown. */
  readonly user: string | null;
  /** True if this client may open this host for now, unless a list blocks it. */
  readonly isOverridden?: boolean;
}

/** The gate's decision on a request. */
export interface GateAnswer {
  readonly isHeld: boolean;
  /** True if it is held, or would be if `gate_mode` were `hold`. */
  readonly wouldHold: boolean;
  readonly rule: GateRule | 'failed' | 'override';
  /** Verdict on the link; null if it was not classified. */
  readonly decision: Decision | null;
  /** Null if the URL cannot be read, or was not. */
  readonly target: Target | null;
  /** Id of the record; null if there is none. */
  readonly requestId: string | null;
  /** True if it is held as a test of the proxy, regardless of the mode. */
  readonly isCanary?: boolean;
}

/** A held request to be recorded. */
export interface HeldRequest extends Pick<GateRequest, 'way' | 'client' | 'user'> {
  readonly target: Target;
  readonly requestId: string;
  readonly rule: 'list-blocks' | 'deep' | 'spelling';
  readonly isHeld: boolean;
  /** Observations of the deep lookup; null if another rule decided. */
  readonly observations: Observations | null;
}

/** Result of a deep lookup. */
export interface DeepFinding {
  readonly decision: Decision;
  readonly probability: number;
  readonly observations: Observations;
}

/** Dependencies of a gate. */
export interface GateParts extends LinkClassifier {
  readonly settings: () => Pick<GateSettings, 'gate_mode' | 'gate_deep_per_minute' | 'gate_log_users'>;
  readonly thresholds: () => { readonly warn: number; readonly gate: number };
  /** Domains of configured brands. */
  readonly ownDomains: () => ReadonlySet<string>;
  /** Fixed decision of a URL for tests; null for any other. */
  canary(target: Target): 'allow' | 'block' | null;
  readonly isBehind: () => boolean;
  /** Probes a host; null if the network is disabled. */
  readonly probeHost: ((target: Target, client: string | null) => Promise<DeepFinding>) | null;
  record(held: HeldRequest): Promise<void>;
  readonly onAnswered: (answered: AnsweredGateRequest) => void;
  readonly onProbed: (decision: Decision | 'failed') => void;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
}

/** The rule that applies to a request. */
interface GateExplanation extends Pick<GateAnswer, 'decision' | 'target'> {
  readonly rule: GateRule;
  /** Probability by the spelling; null if it was not needed. */
  readonly probability: number | null;
}

/** The gate that requests pass. Disposing of it stops its lookups. */
export interface Gate extends Disposable {
  /** Never throws: a request that cannot be classified passes. */
  ask(request: GateRequest): GateAnswer;
  /** Decides without memory, records and metrics, for the operator. */
  explain(request: Pick<GateRequest, 'url' | 'isNavigation'>): GateExplanation;
}

/** Places that a deep lookup found to be blocked, with what it observed. */
const MAX_PLACES = 2000;

const PASSED = { isHeld: false, wouldHold: false, decision: null, target: null, requestId: null } as const;

/** Creates a gate with empty memories. */
export function createGate(parts: GateParts): Gate {
  const { settings, clock, probeHost } = parts;
  const verdicts = createLinkVerdicts(parts, clock);
  const places = createExpiringMemory<Observations>(clock, HOUR_MS, MAX_PLACES);
  const heldRequests = createHeldRequests(clock);
  // The message of an exception may quote a URL.
  const reportFailure = oncePerMinute<unknown>(clock, (error, failed) =>
    parts.logger.error('gate.failed', { failed, at: stackFrames(error).slice(0, 3) }),
  );
  const lookups = createDeepLookups({
    perMinute: () => (probeHost === null ? 0 : settings().gate_deep_per_minute),
    clock,
    lookUp,
  });

  async function lookUp(target: Target, client: string | null): Promise<void> {
    if (probeHost === null) return;
    try {
      const { decision, probability, observations } = await probeHost(target, client);
      parts.onProbed(decision);
      // Without evidence against the host, the verdict is that of the spelling, which alone holds from `gate_block` on.
      const isWorse = probability > verdicts.verdict(target).probability;
      if (decision === 'block' && isWorse) places.set(placeOf(target), observations);
    } catch {
      // Too many checks, or a log that cannot be written: the host is looked up again in an hour.
      parts.onProbed('failed');
    }
  }

  function explain(
    { url, isNavigation }: Pick<GateRequest, 'url' | 'isNavigation'>,
    isBehind = false,
  ): GateExplanation {
    const parsed = url === null ? null : parseTarget(url);
    const target = parsed === null || isTargetProblem(parsed) ? null : parsed;
    const listTarget = url === null || target !== null ? null : listTargetOf(url);
    const asked: LinkVerdict[] = [];
    const rule = ruleFor({
      target,
      listTarget,
      isBehind,
      isNavigation,
      listed: (one) => parts.canary(one) ?? verdicts.listed(one),
      verdict(one) {
        const verdict = verdicts.verdict(one);
        asked.push(verdict);
        return verdict;
      },
      isInside: (one) => isInside(one.host, parts.ownDomains()),
      isKnownBad: (one) => places.get(placeOf(one)) !== null,
      thresholds: parts.thresholds(),
    });
    const [verdict = null] = asked;
    const decided = rule === 'list-allows' ? 'allow' : isHolding(rule) ? 'block' : null;
    return {
      target: target ?? (isListRule(rule) ? listTarget : null),
      rule,
      decision: decided ?? verdict?.decision ?? null,
      probability: verdict?.probability ?? null,
    };
  }

  function decide(request: GateRequest): GateAnswer {
    const { target, rule, decision } = explain(request, parts.isBehind());
    if (!isHolding(rule) || target === null) {
      if (rule === 'doubtful' && target !== null) lookups.add(target, request.client);
      return { isHeld: false, wouldHold: false, rule, decision, target, requestId: null };
    }
    if (request.isOverridden && rule !== 'list-blocks') {
      return { isHeld: false, wouldHold: false, rule: 'override', decision, target, requestId: null };
    }
    const isCanary = parts.canary(target) !== null;
    // The canary is held in watch mode too: otherwise it could not show that the proxy asks this gate.
    const isHeld = isCanary || settings().gate_mode === 'hold';
    // A proxy names its client; monitors and doctor, which ask directly, leave no record.
    const requestId = isCanary && request.client === null ? null : recordOf({ ...request, target, rule, isHeld });
    return { isHeld, wouldHold: true, rule, decision, target, requestId, isCanary };
  }

  /** Returns the id of the record, which is written after the answer. */
  function recordOf(held: Omit<HeldRequest, 'requestId' | 'observations'>): string | null {
    const { target, client, way, rule, isHeld } = held;
    return heldRequests.idFor(client, target.url, () => {
      const requestId = createRequestId(clock.now());
      const user = settings().gate_log_users ? held.user : null;
      const observations = rule === 'deep' ? places.get(placeOf(target)) : null;
      parts.record({ target, client, way, rule, isHeld, user, requestId, observations }).catch(reportFailure);
      return requestId;
    });
  }

  const answered = (request: GateRequest): GateAnswer => {
    try {
      return decide(request);
    } catch (error) {
      reportFailure(error);
      return { ...PASSED, rule: 'failed' };
    }
  };
  return {
    explain,
    ask(request) {
      const beganMs = clock.monotonicMs();
      const answer = answered(request);
      const seconds = (clock.monotonicMs() - beganMs) / 1000;
      parts.onAnswered({ way: request.way, seconds, ...outcomeOf(answer) });
      return answer;
    },
    [Symbol.dispose]: () => lookups[Symbol.dispose](),
  };
}

function outcomeOf({ isHeld, wouldHold, rule }: GateAnswer): Pick<AnsweredGateRequest, 'outcome' | 'isUnexamined'> {
  if (wouldHold) return { outcome: isHeld ? 'held' : 'would_hold', isUnexamined: false };
  return isUnexamined(rule) ? { outcome: rule, isUnexamined: true } : { outcome: 'passed', isUnexamined: false };
}

/** Host, port and path: what a deep lookup finds is remembered for all its queries. */
function placeOf({ host, port, path }: Target): string {
  return `${host.text}:${port}${path}`;
}
