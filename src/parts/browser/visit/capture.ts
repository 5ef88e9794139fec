import { CdpError } from '../cdp/cdp-error.ts';
import type { CdpCallOptions } from '../cdp/cdp-session.ts';
import type { CdpCommands } from '../cdp/protocol.ts';
import { SNAPSHOT_STYLES } from '../snapshot/node-layout.ts';
import { readSnapshot } from '../snapshot/read-snapshot.ts';
import { VIEWPORT } from './page-settings.ts';
import type { PageWatch } from './page-watch.ts';
import type { RenderedPage, Screenshot } from './rendered-page.ts';

/** Sends a command to the page of a visit. */
export type CallPage = <Name extends keyof CdpCommands>(
  method: Name,
  params: CdpCommands[Name]['in'],
  timeoutMs?: CdpCallOptions['timeoutMs'],
) => Promise<CdpCommands[Name]['out']>;

/** Parts of a page to read. */
export interface CaptureOrder {
  /** True if the page has scripts: what it shows may not be all of it. */
  readonly hasScripts: boolean;
  /** True to take a picture. */
  readonly takesPicture: boolean;
}

/** Maximum size of a picture, in bytes, and the qualities that are tried for it. */
const MAX_PICTURE_BYTES = 200_000;
const QUALITIES = [70, 40, 15];

/** Reads a page as it is now. Throws CdpError if it does not answer. */
export async function capture(
  call: CallPage,
  watch: PageWatch,
  { hasScripts, takesPicture }: CaptureOrder,
): Promise<RenderedPage> {
  const snapshot = await call('DOMSnapshot.captureSnapshot', {
    computedStyles: SNAPSHOT_STYLES,
    includeBlendedBackgroundColors: true,
  });
  const { document, frames, isCut } = readSnapshot(snapshot, VIEWPORT, hasScripts);
  const { current, hops, frameUrls, requests, hasLoaded } = watch;
  if (current === null) throw new CdpError('refused', 'the browser went nowhere');
  const isShown = document !== null && /^https?:/.test(document.url);
  return {
    hops: [...hops],
    finalUrl: current.url,
    statusCode: current.status,
    headers: current.headers,
    document: isShown ? { ...document, url: current.url } : null,
    frames,
    frameUrls: [...frameUrls],
    hasLoaded,
    isCut,
    requests,
    screenshot: takesPicture && isShown ? await takePicture(call) : null,
  };
}

/** Takes a picture of the window; null if the page does not let itself be painted in time, or is too large a picture. */
async function takePicture(call: CallPage): Promise<Screenshot | null> {
  try {
    for (const quality of QUALITIES) {
      const { data } = await call('Page.captureScreenshot', { format: 'webp', quality, optimizeForSpeed: false });
      const bytes = new Uint8Array(Buffer.from(data, 'base64'));
      if (bytes.length <= MAX_PICTURE_BYTES) return { bytes, ...VIEWPORT };
    }
  } catch (error) {
    if (!(error instanceof CdpError) || error.code === 'closed') throw error;
  }
  return null;
}
