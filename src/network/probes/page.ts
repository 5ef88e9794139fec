import { FailureError } from '#src/core/base/failure.ts';
import type { Target } from '#src/core/url/target.ts';
import { withDeadline } from '#src/network/egress/budget/deadline.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import type { Hop } from '#src/network/egress/http/hop.ts';
import { isTransformed, type PageDocument, type PageRefresh } from '#src/network/html/document.ts';
import type { PageSource } from '#src/network/html/read-page.ts';
import { pageSyntax } from '#src/network/html/sniff.ts';
import { NAVIGATION_HEADERS } from './browser.ts';
import type { PageVisit, RedirectHop, VisitExit } from './page-visit.ts';
import type { Probe } from './probe.ts';
import { redirectTarget, refreshTargets } from './redirect.ts';

/** Dependencies of the probe. */
export interface PageContext {
  readonly egressClient: Pick<EgressClient, 'fetchHop'>;
  /** Parses a page. When the signal aborts, returns what was parsed so far. */
  readonly readPage: (bytes: Uint8Array, source: PageSource, signal?: AbortSignal) => Promise<PageDocument>;
  /** Time limit of all hops together; what was received by then is parsed. */
  readonly pageTimeoutMs: number;
}

const MAX_REDIRECTS = 5;
const MAX_HEADER_CHARACTERS = 1024;

const RECORDED_HEADERS = [
  'cf-mitigated',
  'content-type',
  'content-disposition',
  'content-security-policy',
  'refresh',
  'server',
  'x-amzn-waf-action',
  'x-vercel-mitigated',
  'strict-transport-security',
  'x-frame-options',
  'x-powered-by',
  'x-robots-tag',
];

/** Visits the target as a browser without scripts. Fails if the first response fails. */
export const pageProbe: Probe<PageVisit, PageContext> = {
  applies: () => true,

  async observe(target, context, signal) {
    return await withDeadline(signal, context.pageTimeoutMs, (soon) => visit(target, context, soon));
  },
};

async function visit(target: Target, context: PageContext, signal: AbortSignal): Promise<PageVisit> {
  const redirects: RedirectHop[] = [];
  const passed: PageVisit[] = [];
  const seen = new Set<string>();
  let last: PageVisit | null = null;
  for (let url = target; ; ) {
    try {
      if (redirects.length > MAX_REDIRECTS) throw new FailureError('too_many_redirects');
      if (seen.has(url.requestUrl))
        throw new FailureError('too_many_redirects', `${url.host.text} redirects to itself`);
      seen.add(url.requestUrl);
      const hop = await context.egressClient.fetchHop(
        { url, headers: NAVIGATION_HEADERS, skipRedirectBody: true },
        signal,
      );
      last = await readHop(url, hop, context);
      const redirected = redirectTarget(url, hop);
      const [refreshed, ...later] = redirected ? [] : refreshTargets(url, hop, last.document);
      last = { ...last, exits: exitsOf(last.document, later) };
      const next = redirected ?? refreshed;
      if (!next) return { ...last, redirects, passed };
      const location = next instanceof FailureError ? null : next.url;
      const how = redirected ? 'http' : 'refresh';
      redirects.push({ url: url.url, status: hop.status, location, address: hop.address, how });
      if (next instanceof FailureError) throw next;
      url = next;
      if (how === 'refresh') passed.push(last);
    } catch (error) {
      if (!(error instanceof FailureError) || error.code === 'internal_error' || !last) throw error;
      const { finalUrl } = last;
      return { ...last, redirects, passed: passed.filter((one) => one.finalUrl !== finalUrl), stopped: error.failure };
    }
  }
}

/** Returns the URLs to which a page leads and that are not followed; `refreshes` are targets of its refreshes. */
export function exitsOf(document: PageDocument | null, refreshes: readonly (Target | FailureError)[]): VisitExit[] {
  const possible = document?.refreshes?.flatMap(asPossibleExit) ?? [];
  return [...refreshes.flatMap(asExit), ...possible, ...(document?.exits ?? [])];
}

function asExit(next: Target | FailureError): VisitExit[] {
  return next instanceof FailureError ? [] : [{ how: 'refresh', url: next.url }];
}

/** A refresh that only a script may write is not followed, because a browser may never see it. */
function asPossibleExit({ followed, url }: PageRefresh): VisitExit[] {
  return followed === null && url !== null && /^https?:/.test(url) ? [{ how: 'script', url }] : [];
}

async function readHop(url: Target, hop: Hop, { readPage }: PageContext): Promise<PageVisit> {
  const { document, stopped } = await readDocument(url, hop, readPage);
  return {
    redirects: [],
    passed: [],
    exits: exitsOf(document, []),
    finalUrl: url.url,
    statusCode: hop.status,
    contentLength: hop.body.length,
    truncated: hop.truncated,
    headers: Object.fromEntries(
      RECORDED_HEADERS.flatMap((name) => {
        const value = hop.headers.get(name);
        return value === undefined ? [] : [[name, value.slice(0, MAX_HEADER_CHARACTERS)]];
      }),
    ),
    document,
    stopped,
  };
}

/** The document of a body, and why there is none. */
type ReadBody = Pick<PageVisit, 'document' | 'stopped'>;

async function readDocument({ url }: Target, hop: Hop, readPage: PageContext['readPage']): Promise<ReadBody> {
  if (!hop.decoded) return { document: null, stopped: new FailureError('content_undecodable').failure };
  const contentType = hop.headers.get('content-type') ?? null;
  if (hop.body.length === 0 || pageSyntax(hop.body, contentType) === null) return { document: null, stopped: null };
  try {
    const contentPolicy = hop.headers.get('content-security-policy');
    return asRead(await readPage(hop.body, { contentType, url, contentPolicy }));
  } catch (error) {
    if (!(error instanceof FailureError) || error.code === 'internal_error') throw error;
    return { document: null, stopped: error.failure };
  }
}

/** Returns a document as part of a visit; a failure if a browser shows another one. */
export function asRead(document: PageDocument): ReadBody {
  if (!isTransformed(document)) return { document, stopped: null };
  return { document: null, stopped: new FailureError('content_unread').failure };
}
