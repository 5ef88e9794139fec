import { type Failure, FailureError } from '#src/core/base/failure.ts';
import type { Target } from '#src/core/url/target.ts';
import type { Hop } from '#src/network/egress/http/hop.ts';
import { isTransformed, type PageDocument } from '#src/network/html/document.ts';
import type { PageSource } from '#src/network/html/read-page.ts';
import { pageSyntax } from '#src/network/html/sniff.ts';
import type { PageVisit } from '../page-visit.ts';

/** Parses a page. When the signal aborts, returns what was parsed so far. */
export type ReadPage = (bytes: Uint8Array, source: PageSource, signal?: AbortSignal) => Promise<PageDocument>;

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

/** Returns an answer as the visit of its URL alone, with its page if it is one. */
export async function readHop(
  url: Target,
  hop: Hop,
  readPage: ReadPage,
  scripts?: PageSource['scripts'],
): Promise<PageVisit> {
  const { document, stopped } = await readDocument(url, hop, readPage, scripts);
  return {
    redirects: [],
    passed: [],
    exits: document?.exits ?? [],
    finalUrl: url.url,
    statusCode: hop.status,
    contentLength: hop.body.length,
    truncated: hop.truncated,
    headers: recordedHeaders((name) => hop.headers.get(name)),
    document,
    stopped,
  };
}

/** Returns the headers that analyzers use. */
export function recordedHeaders(get: (name: string) => string | undefined): PageVisit['headers'] {
  return Object.fromEntries(
    RECORDED_HEADERS.flatMap((name) => {
      const value = get(name);
      return value === undefined ? [] : [[name, value.slice(0, MAX_HEADER_CHARACTERS)]];
    }),
  );
}

async function readDocument(
  { url }: Target,
  hop: Hop,
  readPage: ReadPage,
  scripts: PageSource['scripts'],
): Promise<{ document: PageDocument | null; stopped: Failure | null }> {
  if (!hop.decoded) return { document: null, stopped: new FailureError('content_undecodable').failure };
  const contentType = hop.headers.get('content-type') ?? null;
  if (hop.body.length === 0 || pageSyntax(hop.body, contentType) === null) return { document: null, stopped: null };
  try {
    const contentPolicy = hop.headers.get('content-security-policy');
    return asRead(await readPage(hop.body, { contentType, url, contentPolicy, scripts }));
  } catch (error) {
    if (!(error instanceof FailureError) || error.code === 'internal_error') throw error;
    return { document: null, stopped: error.failure };
  }
}

/** Returns a document as the result of reading it; a failure if a browser shows another one. */
export function asRead(document: PageDocument): { document: PageDocument | null; stopped: Failure | null } {
  if (!isTransformed(document)) return { document, stopped: null };
  return { document: null, stopped: new FailureError('content_unread').failure };
}
