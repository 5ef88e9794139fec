import { FailureError } from '#src/core/base/failure.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { PageDocument } from '#src/network/html/document.ts';
import { contentOf } from '#src/network/html/shown-content.ts';

/** Maximum number of bytes of all scripts that are fetched for one page. */
const MAX_BYTES = 512 * 1024;

/** Fetches the body of a URL, at most `bodyBytes` of it; null if the answer is not a success. */
export type FetchScript = (url: Target, bodyBytes: number) => Promise<Uint8Array | null>;

/**
 * Returns the scripts of its own site that draw a page, by address; empty if the page shows something itself. A script
 * that cannot be fetched is left out.
 */
export async function ownScripts(
  document: PageDocument,
  fetchScript: FetchScript,
): Promise<ReadonlyMap<string, string>> {
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
