import { FailureError } from '#src/core/base/failure.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import { withDeadline } from '#src/network/egress/budget/semaphore.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import type { Hop, HopRequest } from '#src/network/egress/http/hop.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import type { PageSource } from '#src/network/html/read-page.ts';
import { contentOf } from '#src/network/html/shown-content.ts';
import type { Probe } from './observations.ts';
import type { PageVisit, RedirectHop } from './page-visit.ts';
import { assetHeaders, navigationHeaders } from './visit/navigation-headers.ts';
import { type ReadPage, readHop } from './visit/read-hop.ts';
import { createVisitCookies, type VisitCookies } from './visit/visit-cookies.ts';
import { type WayOn, waysOn } from './visit/ways-on.ts';

/** Maximum number of bytes of all scripts that are fetched for one page. */
const MAX_BYTES = 512 * 1024;

/** Fetches the body of a URL, at most `bodyBytes` of it; null if the answer is not a success. */
type FetchScript = (url: Target, bodyBytes: number) => Promise<Uint8Array | null>;

/**
 * Returns the scripts of its own site that draw a page, by address; empty if the page shows something itself. A script
 * that cannot be fetched is left out.
 */
async function ownScripts(document: PageDocument, fetchScript: FetchScript): Promise<ReadonlyMap<string, string>> {
  const scripts = new Map<string, string>();
  let bytesLeft = MAX_BYTES;
  for (const address of contentOf(document).ownScripts) {
    const url = parseTarget(address);
    const body = isTargetProblem(url) ? null : await fetchScript(url, bytesLeft).catch(asMissing);
    if (body === null) continue;
    bytesLeft -= body.length;
    scripts.set(address, new TextDecoder().decode(body));
    if (bytesLeft <= 0) break;
  }
  return scripts;
}

function asMissing(error: unknown): null {
  if (error instanceof FailureError && error.code !== 'internal_error') return null;
  throw error;
}

/** Dependencies of the probe. */
export interface PageContext {
  readonly egressClient: Pick<EgressClient, 'fetchHop'>;
  readonly readPage: ReadPage;
  /** Time limit of all hops together; what was received by then is parsed. */
  readonly pageTimeoutMs: number;
  /** The operator's identification instead of a browser's; null or absent to imitate a browser. */
  readonly userAgent?: string | null;
}

/** Maximum number of steps of one visit, of any kind. */
const MAX_REDIRECTS = 5;

/** Time for one script of a page, in milliseconds. */
const SCRIPT_TIMEOUT_MS = 2000;

/** Visits the target as a browser without scripts. Fails if the first response fails. */
export const pageProbe: Probe<PageVisit, PageContext> = {
  applies: () => true,

  async observe(target, context, signal) {
    return await withDeadline(signal, context.pageTimeoutMs, (soon) => visit(target, context, soon));
  },
};

/** State of one visit. */
interface Journey {
  readonly context: PageContext;
  readonly signal: AbortSignal;
  readonly redirects: RedirectHop[];
  /** Every page that leads on. */
  readonly passed: PageVisit[];
  readonly cookies: VisitCookies;
  /** Requests that were sent, each with its cookies. */
  readonly seen: Set<string>;
  /** Further ways of the pages, which are followed after the first one of each. */
  readonly aside: Step[];
}

/** A step from an answer to the next URL. */
interface Step {
  readonly way: WayOn;
  readonly from: PageVisit;
  readonly address: string;
}

async function visit(target: Target, context: PageContext, signal: AbortSignal): Promise<PageVisit> {
  const journey: Journey = {
    ...{ context, signal, redirects: [], passed: [], seen: new Set<string>(), aside: [] },
    cookies: createVisitCookies(),
  };
  const landing = await follow(journey, target);
  for (let step = journey.aside.shift(); step; step = journey.aside.shift()) await followAside(journey, step);
  const fetched = new Set([target.url, ...journey.redirects.map(({ location }) => location)]);
  const withoutFetched = (page: PageVisit) => ({
    ...page,
    exits: page.exits.filter(({ url, posts }) => posts || !fetched.has(canonical(url))),
  });
  const { redirects, passed } = journey;
  return { ...withoutFetched(landing), redirects, passed: passed.map(withoutFetched) };
}

function canonical(url: string): string {
  const target = parseTarget(url);
  return isTargetProblem(target) ? url : target.url;
}

/** Visits a URL and those to which it leads, up to the last one that answers. */
async function follow(journey: Journey, start: Target): Promise<PageVisit> {
  let last: PageVisit | null = null;
  for (let url = start; ; ) {
    try {
      if (journey.redirects.length > MAX_REDIRECTS) throw new FailureError('too_many_redirects');
      if (isSeen(journey, url)) throw new FailureError('too_many_redirects', `${url.host.text} redirects to itself`);
      const { page, hop, ways } = await look(journey, url);
      last = page;
      const step = choose(journey, ways, page, hop);
      if (step === null) return page;
      journey.redirects.push(hopOf(step));
      if (step.way.to instanceof FailureError) throw step.way.to;
      if (step.way.how !== 'http') journey.passed.push(page);
      url = step.way.to;
    } catch (error) {
      if (!(error instanceof FailureError) || error.code === 'internal_error' || !last) throw error;
      // A page whose next step failed is where the visit ends.
      if (journey.passed.at(-1) === last) journey.passed.pop();
      return { ...last, stopped: error.failure };
    }
  }
}

/** Follows a further way of a page that was read. A way that fails stays among the page's exits. */
async function followAside(journey: Journey, step: Step): Promise<void> {
  const { redirects, passed } = journey;
  const { to } = step.way;
  if (to instanceof FailureError || redirects.length >= MAX_REDIRECTS || isSeen(journey, to)) return;
  const at = redirects.length;
  redirects.push(hopOf(step));
  try {
    passed.push(await follow(journey, to));
  } catch (error) {
    if (!(error instanceof FailureError) || error.code === 'internal_error') throw error;
    redirects.splice(at);
  }
}

/** Chooses the way on; others that were not seen are kept for later. Null if the answer is the end. */
function choose(journey: Journey, ways: readonly WayOn[], from: PageVisit, { address }: Hop): Step | null {
  const isRedirect = ways.some(({ how }) => how === 'http' || how === 'refresh');
  const left = journey.redirects.length < MAX_REDIRECTS;
  // What a page does by itself is followed only as far as it is new; a redirect that is not is a loop.
  const open = isRedirect
    ? ways
    : ways.filter(({ to }) => left && !(to instanceof FailureError || isSeen(journey, to)));
  const steps = open.map((way): Step => ({ way, from, address }));
  // A page with content remains the shown one, even if its scripts lead elsewhere.
  const isShown = !isRedirect && from.document !== null && !contentOf(from.document).isShort;
  const at = steps.findIndex(({ way: { how } }) => !isShown || (how !== 'script' && how !== 'form'));
  journey.aside.push(...steps.filter((_, index) => index !== at));
  return steps[at] ?? null;
}

function hopOf({ way: { how, to }, from, address }: Step): RedirectHop {
  const location = to instanceof FailureError ? null : to.url;
  return { url: from.finalUrl, status: from.statusCode, location, address, how };
}

interface Answer {
  readonly page: PageVisit;
  readonly hop: Hop;
  readonly ways: readonly WayOn[];
}

/** Fetches a URL and reads its page, with the scripts that draw it if it is empty. */
async function look(journey: Journey, url: Target): Promise<Answer> {
  const { cookies, context, seen } = journey;
  seen.add(keyOf(journey, url));
  const sent = cookies.headerFor(url);
  const headers = navigationHeaders({ url, steps: journey.redirects, userAgent: context.userAgent });
  const hop = await fetchHop(journey, { url, headers, skipRedirectBody: true });
  const read = async (scripts?: PageSource['scripts']): Promise<Answer> => {
    const page = await readHop(url, hop, context.readPage, scripts);
    for (const cookie of page.document?.cookies ?? []) cookies.take(url, cookie);
    const { followed, exits } = waysOn(url, hop, page, cookies.headerFor(url) !== sent);
    return { page: { ...page, exits }, hop, ways: followed };
  };
  const answer = await read();
  const { document } = answer.page;
  if (document === null || answer.ways.length > 0) return answer;
  const scripts = await ownScripts(document, async (address, bodyBytes) => {
    const limits = { bodyBytes, timeoutMs: SCRIPT_TIMEOUT_MS };
    const request = { url: address, headers: assetHeaders('script', address, url, context.userAgent), ...limits };
    const { status, body } = await fetchHop(journey, request);
    return status === 200 ? body : null;
  });
  return scripts.size === 0 ? answer : await read(scripts);
}

/** Sends a request with the cookies of the visit, which browsers send last. */
async function fetchHop({ cookies, context, signal }: Journey, request: HopRequest): Promise<Hop> {
  const cookie = cookies.headerFor(request.url);
  const headers = { ...request.headers, ...(cookie === '' ? {} : { Cookie: cookie }) };
  const hop = await context.egressClient.fetchHop({ ...request, headers }, signal);
  cookies.take(request.url, hop.headers.get('set-cookie'));
  return hop;
}

/** A URL may answer otherwise once it has set a cookie. */
function keyOf({ cookies }: Journey, url: Target): string {
  return `${url.requestUrl}\n${cookies.headerFor(url)}`;
}

function isSeen(journey: Journey, url: Target): boolean {
  return journey.seen.has(keyOf(journey, url));
}
