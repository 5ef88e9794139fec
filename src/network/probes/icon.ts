import { FailureError } from '#src/core/base/failure.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { bytesOfDataAddress } from '#src/network/html/addresses.ts';
import { asksForSecret, type PageDocument } from '#src/network/html/document.ts';
import type { PageContext } from './page.ts';
import type { IconPrint, PageVisit } from './page-visit.ts';
import { assetHeaders } from './visit/navigation-headers.ts';

/** Reads the file of an icon. */
export type ReadIcon = (file: Uint8Array) => Promise<IconPrint>;

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
  const written = document.iconData === undefined ? null : bytesOfDataAddress(document.iconData);
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
