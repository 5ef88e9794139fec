import { FailureError } from '#src/core/base/failure.ts';
import type { Target } from '#src/core/url/target.ts';
import type { PageContext } from './page.ts';
import { type PageVisit, visitOf } from './page-visit.ts';
import type { Observation } from './probe.ts';
import { asRead } from './visit/read-hop.ts';
import { refreshTargets } from './visit/redirect.ts';
import { exitsOf } from './visit/ways-on.ts';

const NO_HEADERS: ReadonlyMap<string, string> = new Map();

/** A saved page. */
export interface SavedPage {
  readonly bytes: Uint8Array;
  /** The `Content-Type`; null if it must be detected from the page. */
  readonly contentType: string | null;
  readonly statusCode: number;
  /** True if the page is incomplete; absent if it is not. */
  readonly truncated?: boolean;
}

/** Returns the observation of a visit on which the target answers with this page. */
export async function observeSavedPage(
  target: Target,
  { bytes, contentType, statusCode, truncated = false }: SavedPage,
  readPage: PageContext['readPage'],
): Promise<Observation<PageVisit>> {
  const startMs = performance.now();
  const seen = ({ document, stopped }: Pick<PageVisit, 'document' | 'stopped'>): Observation<PageVisit> => ({
    state: 'observed',
    value: visitOf(target, {
      ...{ document, stopped, statusCode, truncated },
      contentLength: bytes.byteLength,
      exits: exitsOf(document, refreshTargets(target, { headers: NO_HEADERS }, document)),
    }),
    elapsedMs: performance.now() - startMs,
  });
  try {
    return seen(asRead(await readPage(bytes, { contentType, url: target.requestUrl })));
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return seen({ document: null, stopped: error.failure });
  }
}
