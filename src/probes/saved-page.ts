import { FailureError } from '#src/base/failure.ts';
import type { PageReader } from '#src/html/reader.ts';
import type { Target } from '#src/url/target.ts';
import type { PageVisit } from './page-visit.ts';
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
  reader: Pick<PageReader, 'read'>,
): Promise<Observation<PageVisit>> {
  const startMs = performance.now();
  const visit = {
    redirects: [],
    finalUrl: target.requestUrl,
    statusCode,
    contentLength: bytes.byteLength,
    truncated: false,
    headers: {},
  };
  try {
    const document = await reader.read(bytes, { contentType, url: target.requestUrl });
    return { state: 'observed', value: { ...visit, document, stopped: null }, elapsedMs: performance.now() - startMs };
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    const value = { ...visit, document: null, stopped: error.failure };
    return { state: 'observed', value, elapsedMs: performance.now() - startMs };
  }
}
