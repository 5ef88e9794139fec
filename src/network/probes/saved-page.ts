import { FailureError } from '#src/core/base/failure.ts';
import type { Target } from '#src/core/url/target.ts';
import type { PageContext } from './page.ts';
import { type PageVisit, visitOf } from './page-visit.ts';
import type { Observation } from './probe.ts';

/** A page that was saved earlier. */
export interface SavedPage {
  readonly bytes: Uint8Array;
  /** The `Content-Type` under which it is read; null where the page itself must tell. */
  readonly contentType: string | null;
  readonly statusCode: number;
}

/** The observation that a visit would have brought had the target answered with this page, without a redirect. */
export async function observeSavedPage(
  target: Target,
  { bytes, contentType, statusCode }: SavedPage,
  readPage: PageContext['readPage'],
): Promise<Observation<PageVisit>> {
  const startMs = performance.now();
  const seen = (part: Pick<PageVisit, 'document' | 'stopped'>): Observation<PageVisit> => ({
    state: 'observed',
    value: visitOf(target, { statusCode, contentLength: bytes.byteLength, ...part }),
    elapsedMs: performance.now() - startMs,
  });
  try {
    return seen({ document: await readPage(bytes, { contentType, url: target.requestUrl }), stopped: null });
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return seen({ document: null, stopped: error.failure });
  }
}
