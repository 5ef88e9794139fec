import { type Clock, DAY_MS } from '#src/core/base/clock.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { type Traced, UNTRACED } from '#src/core/base/traced.ts';
import type { Cache } from '#src/network/egress/budget/cache.ts';
import { withDeadline } from '#src/network/egress/budget/deadline.ts';
import type { Egress } from '#src/network/egress/egress.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { ProbeCompartment } from './compartment.ts';
import { endingSoon } from './grace-period.ts';
import { withHopLists } from './hop-lists.ts';
import { HOST_PROBES, PAGE_PROBE, type ProbeContext, type RegisteredProbe } from './index.ts';
import { observeLists } from './lists.ts';
import {
  HOST_PROBE_NAMES,
  type HostFinds,
  type HostObservations,
  type HostValues,
  type Observations,
  ofEachHostProbe,
  type ProbeName,
} from './observations.ts';
import type { Observation } from './probe.ts';

/** What looking at targets takes; all checks share it. */
export interface ProbeRunnerParts {
  readonly egress: Pick<Egress, 'network' | 'open' | 'isResting'>;
  /** What probes need beside the door and the time they have. */
  readonly context: Omit<ProbeContext, 'door' | 'courtesy' | 'pageTimeoutMs'>;
  readonly lists: LocalLists;
  /** Probes that the operator switched off. */
  readonly off: readonly ProbeName[];
  readonly clock: Clock;
}

/** How a look is watched. */
export interface Watch {
  /** Told of each probe of the asked host as it ends. */
  readonly onProbe?: ((probe: ProbeName) => void) | undefined;
  /** Does each probe, and each step of it. */
  readonly traced?: Traced | undefined;
}

/**
 * Looks at a target from all sides at once, for a check of one compartment, and after `deadlineMs` goes on with what it
 * has. Never throws: whatever happens is an observation.
 */
export type RunProbes = (
  target: Target,
  compartment: ProbeCompartment,
  deadlineMs: number,
  watch?: Watch,
) => Promise<Observations>;

/**
 * The time of a check that is left after the page must have come, as a share of it and in milliseconds: for reading the page,
 * and for a first look at the host on which the redirects ended. All else is looked up beside the page.
 */
const LEFT_SHARE = 0.1;
const LEFT_MS = 800;
/** No more of a short deadline is left than this share of it. */
const MOST_LEFT_SHARE = 0.25;

/** The share of a check's time after which a page is no longer read: what was read by then is classified. */
const READING_SHARE = 0.95;

/** One check's look at the world. */
interface Look {
  readonly parts: ProbeRunnerParts;
  readonly compartment: ProbeCompartment;
  readonly context: ProbeContext;
  readonly traced: Traced;
  /** Aborted when the time of the check is over. */
  readonly signal: AbortSignal;
}

/** Makes the function that runs all probes; what it remembers is in the compartment. */
export function createProbeRunner(parts: ProbeRunnerParts): RunProbes {
  const { egress, lists } = parts;
  return async (asked, compartment, deadlineMs, { onProbe, traced = UNTRACED } = {}) => {
    const { readPage } = parts.context;
    const within = <T>(ms: number, run: (signal: AbortSignal) => Promise<T>) =>
      withDeadline(new AbortController().signal, ms, run);
    const lookAround = async (signal: AbortSignal, readingEnds: AbortSignal) => {
      const context: ProbeContext = {
        ...parts.context,
        courtesy: compartment.courtesy,
        door: egress.open(compartment, traced),
        readPage: (bytes, source) => traced('read', source.url, () => readPage(bytes, source, readingEnds)),
        pageTimeoutMs: deadlineMs - timeLeft(deadlineMs),
      };
      const look: Look = { parts, compartment, context, traced, signal };
      const visit = visitPage(look, asked, onProbe);
      const [host, visited] = await Promise.all([observeHost(look, asked, onProbe), visit]);
      const nowMs = parts.clock.now();
      return withHopLists({ ...host, ...visited, lists: observeLists(lists, asked, nowMs) }, lists, nowMs);
    };
    return await within(deadlineMs, (signal) =>
      within(deadlineMs * READING_SHARE, (readingEnds) => lookAround(signal, readingEnds)),
    );
  };
}

function timeLeft(deadlineMs: number): number {
  return Math.min(Math.max(deadlineMs * LEFT_SHARE, LEFT_MS), deadlineMs * MOST_LEFT_SHARE);
}

/** The page, and the host on which the redirects to it ended. */
async function visitPage(
  look: Look,
  asked: Target,
  onProbe: Watch['onProbe'],
): Promise<Pick<Observations, 'page' | 'landing'>> {
  const page = await observe(look, 'page', PAGE_PROBE, null, asked);
  onProbe?.('page');
  return { page, landing: await observeLanding(look, asked, page) };
}

async function observeLanding(look: Look, asked: Target, page: Observations['page']): Promise<Observations['landing']> {
  if (page.state !== 'observed') return null;
  const landing = parseTarget(page.value.finalUrl);
  if (isTargetProblem(landing) || landing.host.site === asked.host.site) return null;
  return { host: landing.host.text, ...(await observeHost(look, landing)) };
}

async function observeHost(look: Look, target: Target, onEnd?: Watch['onProbe']): Promise<HostObservations> {
  const one = async <Name extends keyof HostValues>(name: Name): Promise<Observation<HostValues[Name]>> => {
    const probe = HOST_PROBES[name];
    const cache = probe.keptBy && look.compartment.kept[name];
    const observation = await observe<HostFinds[Name], HostValues[Name]>(look, name, probe, cache, target);
    onEnd?.(name);
    return observation;
  };
  const seen = await Promise.all(HOST_PROBE_NAMES.map(one));
  return ofEachHostProbe<HostObservations>((_, index) => seen[index]);
}

async function observe<Find, Value>(
  { parts, compartment, context, traced, signal }: Look,
  name: ProbeName,
  probe: RegisteredProbe<Find, Value>,
  cache: Cache<Find> | null,
  target: Target,
): Promise<Observation<Value>> {
  const { egress, off, clock } = parts;
  const isAllowed = egress.network === 'full' || egress.network === probe.needs;
  if (!isAllowed || off.includes(name)) return { state: 'skipped', reason: 'disabled' };
  if (!probe.applies(target)) return { state: 'skipped', reason: 'not_applicable' };
  const startedMs = clock.monotonicMs();
  const key = probe.keptBy?.(target) ?? '';
  const known = cache?.get(key);
  try {
    const find = await traced(
      'probe',
      `${name} of ${target.host.text}`,
      async () => known ?? (await endingSoon(signal, probe.observe(target, context, signal))),
      () => (known === undefined ? '' : 'kept from an earlier check'),
    );
    if (known === undefined) cache?.set(key, find, DAY_MS);
    return { state: 'observed', value: probe.asOf(find, clock.now()), elapsedMs: clock.monotonicMs() - startedMs };
  } catch (error) {
    const isKnown = error instanceof FailureError;
    if (isKnown && error.code === 'unreachable' && egress.isResting()) {
      return { state: 'skipped', reason: 'circuit_open' };
    }
    const { failure } = isKnown ? error : new FailureError('internal_error');
    if (failure.code === 'internal_error') compartment.log.fault(name, error);
    return { state: 'failed', failure, elapsedMs: clock.monotonicMs() - startedMs };
  }
}
