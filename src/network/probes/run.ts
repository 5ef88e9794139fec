import { type Clock, DAY_MS } from '#src/core/base/clock.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { onceAborted } from '#src/core/base/timers.ts';
import { type Traced, UNTRACED } from '#src/core/base/traced.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { Cache } from '#src/network/egress/budget/cache.ts';
import { abortFailure, withDeadline } from '#src/network/egress/budget/semaphore.ts';
import type { Egress } from '#src/network/egress/egress.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import { readDataAddress } from '#src/network/html/addresses.ts';
import { asksForSecret, type PageDocument } from '#src/network/html/document.ts';
import type { LocalLists } from '#src/network/lists/local-lists.ts';
import type { ProbeCompartment } from './compartment.ts';
import { HOST_PROBES, PAGE_PROBE, type ProbeContext, type RegisteredProbe } from './index.ts';
import { observeLists, withHopLists } from './lists.ts';
import {
  HOST_PROBE_NAMES,
  type HostFindings,
  type HostObservations,
  type HostValues,
  mapHostProbes,
  notRendered,
  type Observation,
  type Observations,
  type ProbeName,
} from './observations.ts';
import type { PageContext } from './page.ts';
import type { IconPrint, PageVisit } from './page-visit.ts';
import type { RenderPage } from './rendering.ts';
import { assetHeaders } from './visit/navigation-headers.ts';

/** Reads the file of an icon. */
type ReadIcon = (file: Uint8Array) => Promise<IconPrint>;

/** Maximum size of the file of an icon, in bytes, and time for it, in milliseconds. */
const MAX_BYTES = 100_000;
const TIMEOUT_MS = 1500;

/**
 * Returns a visit with the icon of its page, if the page asks for secrets: one request without cookies, unless the page
 * carries the icon itself. Without an answer in time, the visit is unchanged.
 */
export async function withIcon(
  visit: PageVisit,
  readIcon: ReadIcon,
  { egressClient, userAgent = null }: Pick<PageContext, 'egressClient' | 'userAgent'>,
  signal: AbortSignal,
): Promise<PageVisit> {
  const { document } = visit;
  if (document === null || !asksForSecret(document) || signal.aborted) return visit;
  const written = document.iconData === undefined ? undefined : readDataAddress(document.iconData)?.bytes;
  const file = written ?? (await fetchIcon(document, visit.finalUrl));
  return file === null || file.length === 0 ? visit : { ...visit, icon: await readIcon(file) };

  async function fetchIcon(page: PageDocument, pageUrl: string): Promise<Uint8Array | null> {
    const [url, from] = [parseTarget(iconAddress(page, pageUrl)), parseTarget(pageUrl)];
    if (isTargetProblem(url) || isTargetProblem(from)) return null;
    const headers = assetHeaders('image', url, from, userAgent);
    try {
      const request = { url, headers, bodyBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS };
      const { status, body, truncated } = await egressClient.fetchHop(request, signal);
      return status === 200 && !truncated ? body : null;
    } catch (error) {
      if (error instanceof FailureError && error.code !== 'internal_error') return null;
      throw error;
    }
  }
}

/** Returns the address of an icon that can be decoded, if there is one; without any, browsers ask for `/favicon.ico`. */
function iconAddress({ assets }: PageDocument, pageUrl: string): string {
  const icons = assets.flatMap(({ kind, url }) => (kind === 'icon' && url !== null ? [url] : []));
  return icons.find((url) => !/\.svg(?:[?#]|$)/i.test(url)) ?? icons[0] ?? new URL('/favicon.ico', pageUrl).href;
}

/** Time in which a probe must end after its signal aborts; a partially received page is still parsed in it. */
const GRACE_MS = 100;

/** Waits for a probe, and stops waiting shortly after its signal aborts if the probe ignores the signal. */
export async function withGracePeriod<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => {
    timer = setTimeout(() => late.reject(abortFailure(signal)), GRACE_MS);
  };
  onceAborted(signal, onAbort);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Dependencies of the probe runner, which all checks share. */
export interface ProbeRunnerParts {
  readonly egress: Pick<Egress, 'network' | 'open' | 'isCircuitOpen'>;
  /** Dependencies of probes, except those that differ per check. */
  readonly context: Omit<ProbeContext, 'egressClient' | 'registryThrottle' | 'provenAuthorities' | 'pageTimeoutMs'>;
  readonly lists: LocalLists;
  /** Probes that the operator disabled. */
  readonly off: readonly ProbeName[];
  readonly clock: Clock;
}

/** Callbacks of a probe run. */
export interface ProbeHooks {
  /** Called when a probe of the target's host finishes. */
  readonly onProbe?: ((probe: ProbeName) => void) | undefined;
  /** Traces each probe and its steps. */
  readonly traced?: Traced | undefined;
  /** Visits the page with a browser as well; absent if none is configured. */
  readonly render?: RenderPage | undefined;
  /** Reads icons of pages that ask for secrets; absent if they are compared with none. */
  readonly readIcon?: ReadIcon | undefined;
}

/**
 * Runs all probes on a target in parallel, for a check of one compartment, and returns after `deadlineMs` with what was
 * observed. Never throws: every failure is an observation.
 */
export type RunProbes = (
  target: Target,
  compartment: ProbeCompartment,
  deadlineMs: number,
  watch?: ProbeHooks,
) => Promise<Observations>;

/**
 * The time that is reserved after the page timeout, as a share of the deadline and in milliseconds: to parse the page
 * and to probe the landing host. All other probes run in parallel with the page.
 */
const RESERVED_SHARE = 0.1;
const RESERVED_MS = 800;
/** Maximum reserved share of a short deadline. */
const MAX_RESERVED_SHARE = 0.25;

/** The share of the deadline after which parsing stops; what was parsed by then is classified. */
const READING_SHARE = 0.95;

/** State of one run. */
interface ProbeRun {
  readonly parts: ProbeRunnerParts;
  readonly compartment: ProbeCompartment;
  readonly context: ProbeContext;
  readonly egressClient: EgressClient;
  readonly traced: Traced;
  /** Aborts at the deadline. */
  readonly signal: AbortSignal;
}

/** Creates the function that runs all probes. Its state is in the compartment. */
export function createProbeRunner(parts: ProbeRunnerParts): RunProbes {
  const { egress, lists } = parts;
  return async (asked, compartment, deadlineMs, { onProbe, traced = UNTRACED, render, readIcon } = {}) => {
    const { readPage } = parts.context;
    const within = <T>(ms: number, run: (signal: AbortSignal) => Promise<T>) =>
      withDeadline(new AbortController().signal, ms, run);
    const observeAll = async (signal: AbortSignal, readingEnds: AbortSignal) => {
      const egressClient = egress.open(compartment, traced);
      const context: ProbeContext = {
        ...parts.context,
        registryThrottle: compartment.registryThrottle,
        provenAuthorities: compartment.provenAuthorities,
        egressClient,
        readPage: (bytes, source) => traced('read', source.url, () => readPage(bytes, source, readingEnds)),
        pageTimeoutMs: deadlineMs - reservedMs(deadlineMs),
      };
      const look: ProbeRun = { parts, compartment, context, egressClient, traced, signal };
      const visit = visitPage(look, asked, { onProbe, render, readIcon });
      const [host, visited] = await Promise.all([observeHost(look, asked, onProbe), visit]);
      const nowMs = parts.clock.now();
      return withHopLists({ ...host, ...visited, lists: observeLists(lists, asked, nowMs) }, lists, nowMs);
    };
    return await within(deadlineMs, (signal) =>
      within(deadlineMs * READING_SHARE, (readingEnds) => observeAll(signal, readingEnds)),
    );
  };
}

function reservedMs(deadlineMs: number): number {
  return Math.min(Math.max(deadlineMs * RESERVED_SHARE, RESERVED_MS), deadlineMs * MAX_RESERVED_SHARE);
}

/** Observes the page and the landing host. */
async function visitPage(
  look: ProbeRun,
  asked: Target,
  { onProbe, render, readIcon }: Pick<ProbeHooks, 'onProbe' | 'render' | 'readIcon'>,
): Promise<Pick<Observations, 'page' | 'landing' | 'render'>> {
  const fetched = await observe(look, 'page', PAGE_PROBE, null, asked);
  const { page: shown, ...rendered } = render ? await withBrowser(look, asked, fetched, render) : { page: fetched };
  const page =
    readIcon && shown.state === 'observed'
      ? { ...shown, value: await withIcon(shown.value, readIcon, look.context, look.signal) }
      : shown;
  onProbe?.('page');
  return { page, ...rendered, landing: await observeLanding(look, asked, page) };
}

/** Visits a page that was fetched with a browser as well, in the rest of the time for the page. */
async function withBrowser(
  { context: { pageTimeoutMs, readPage }, egressClient, traced, signal }: ProbeRun,
  asked: Target,
  page: Observations['page'],
  render: RenderPage,
): Promise<Required<Pick<Observations, 'page' | 'render'>>> {
  if (page.state !== 'observed') return { page, render: notRendered('skipped') };
  const timeoutMs = Math.max(pageTimeoutMs - page.elapsedMs, 0);
  const subject = { target: asked, visit: page.value, egressClient, readPage, timeoutMs, signal };
  const { visit, report } = await traced(
    'probe',
    `browser for ${asked.host.text}`,
    () => render(subject),
    ({ report: { status, requests, refused } }) => `${status}, ${requests} requests, ${refused} refused`,
  );
  const elapsedMs = page.elapsedMs + report.seconds * 1000;
  return { page: { ...page, value: visit, elapsedMs }, render: report };
}

async function observeLanding(
  look: ProbeRun,
  asked: Target,
  page: Observations['page'],
): Promise<Observations['landing']> {
  if (page.state !== 'observed') return null;
  const landing = parseTarget(page.value.finalUrl);
  if (isTargetProblem(landing) || landing.host.site === asked.host.site) return null;
  return { host: landing.host.text, ...(await observeHost(look, landing)) };
}

async function observeHost(look: ProbeRun, target: Target, onEnd?: ProbeHooks['onProbe']): Promise<HostObservations> {
  const one = async <Name extends keyof HostValues>(name: Name): Promise<Observation<HostValues[Name]>> => {
    const probe = HOST_PROBES[name];
    const cache = probe.cacheKey && look.compartment.hostCaches[name];
    const observation = await observe<HostFindings[Name], HostValues[Name]>(look, name, probe, cache, target);
    onEnd?.(name);
    return observation;
  };
  const seen = await Promise.all(HOST_PROBE_NAMES.map(one));
  return mapHostProbes<HostObservations>((_, index) => seen[index]);
}

async function observe<Find, Value>(
  { parts, compartment, context, traced, signal }: ProbeRun,
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
  const key = probe.cacheKey?.(target) ?? '';
  const known = cache?.get(key);
  try {
    const find = await traced(
      'probe',
      `${name} of ${target.host.text}`,
      async () => known ?? (await withGracePeriod(signal, probe.observe(target, context, signal))),
      () => (known === undefined ? '' : 'kept from an earlier check'),
    );
    if (known === undefined) cache?.set(key, find, DAY_MS);
    return { state: 'observed', value: probe.asOf(find, clock.now()), elapsedMs: clock.monotonicMs() - startedMs };
  } catch (error) {
    const isKnown = error instanceof FailureError;
    if (isKnown && error.code === 'unreachable' && egress.isCircuitOpen()) {
      return { state: 'skipped', reason: 'circuit_open' };
    }
    const { failure } = isKnown ? error : new FailureError('internal_error');
    if (failure.code === 'internal_error') compartment.log.fault(name, error);
    return { state: 'failed', failure, elapsedMs: clock.monotonicMs() - startedMs };
  }
}
