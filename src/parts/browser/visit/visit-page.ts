import { identityOf } from '#src/network/probes/visit/navigation-headers.ts';
import type { CdpCallOptions, CdpEvent, CdpSession } from '../cdp/cdp-session.ts';
import type { CdpCommands, DomSnapshot } from '../cdp/protocol.ts';
import { CdpError } from '../cdp/transport.ts';
import { readSnapshot } from '../snapshot/read-snapshot.ts';
import { SNAPSHOT_STYLES } from '../snapshot/write-document.ts';
import { type PageWatch, settleWhenDone, watchPage } from './page-watch.ts';
import type { RenderedDocument, RenderedPage, Screenshot } from './rendered-page.ts';

/** A visit of one page. */
export interface VisitOrder extends CaptureOrder {
  readonly url: string;
  /** Port of the SOCKS5 listener on 127.0.0.1 through which all connections of this visit go. */
  readonly proxyPort: number;
  /** Time for all of the visit, in milliseconds. */
  readonly timeoutMs: number;
  /** The operator's identification instead of a browser's; null to imitate a browser. */
  readonly userAgent: string | null;
}

/** A window of visits, in CSS pixels. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
  /** True for a phone, for which pages may have another layout. */
  readonly mobile: boolean;
}

/** The windows of visits. */
export const VIEWPORTS: Readonly<Record<'desktop' | 'phone', Viewport>> = {
  desktop: { width: 1280, height: 800, mobile: false },
  phone: { width: 390, height: 844, mobile: true },
};

/** URLs that no page may load; pages cannot reach most of them anyway. */
const BLOCKED_URLS = ['file:*', 'chrome:*', 'chrome-extension:*', 'devtools:*', 'view-source:*', 'ftp:*'];

/** Time that is kept for the snapshot and the picture, in milliseconds. */
const CAPTURE_MS = 900;
/** Time of the page that passes at once when it is quiet, as a person would wait, and the most that this takes, in milliseconds. */
const PASSED_MS = 5000;
const PASSING_MS = 1000;
/** Time that is left when a page that does not answer any more is read as it was before, in milliseconds. */
const GIVE_UP_MS = 200;

/** A visit in progress. */
export interface VisitedPage {
  /** Rejects with CdpError: `timeout` if the page does not let itself be read, `closed` if the browser ends. */
  readonly page: Promise<RenderedPage>;
  /** Throws the page away; to be called even if it was not read. */
  leave(): Promise<void>;
}

/** A page in a context of its own. */
interface OpenedPage {
  readonly browserContextId: string;
  readonly targetId: string;
  readonly sessionId: string;
}

/** Visits a page in a fresh context until `endsMs` of the monotonic clock. */
export function visitPage(cdp: CdpSession, order: VisitOrder, endsMs: number): VisitedPage {
  const context = cdp.call('Target.createBrowserContext', {
    disposeOnDetach: true,
    proxyServer: `socks5://127.0.0.1:${order.proxyPort}`,
    proxyBypassList: '<-loopback>',
  });
  const opened = context.then(({ browserContextId }) => openPage(cdp, browserContextId, order.viewport));
  return {
    page: opened.then((page) => visitIn(cdp, page, order, endsMs)),
    async leave() {
      try {
        await opened.catch(() => {});
        const { browserContextId } = await context;
        // Ends the context's processes, even one whose script never ends.
        await cdp.call('Target.disposeBrowserContext', { browserContextId });
      } catch {
        // The browser is gone, and the context with it.
      }
    },
  };
}

async function openPage(cdp: CdpSession, browserContextId: string, { width, height }: Viewport): Promise<OpenedPage> {
  const { targetId } = await cdp.call('Target.createTarget', { url: 'about:blank', browserContextId, width, height });
  const { sessionId } = await cdp.call('Target.attachToTarget', { targetId, flatten: true });
  await Promise.all([
    cdp.call('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
    cdp.call('Browser.grantPermissions', { permissions: [], browserContextId }),
  ]);
  return { browserContextId, targetId, sessionId };
}

async function visitIn(
  cdp: CdpSession,
  { browserContextId, targetId, sessionId }: OpenedPage,
  order: VisitOrder,
  endsMs: number,
): Promise<RenderedPage> {
  const call = <Name extends keyof CdpCommands>(method: Name, params: CdpCommands[Name]['in'], timeoutMs = leftMs()) =>
    cdp.call(method, params, { sessionId, timeoutMs });
  const leftMs = () => Math.max(endsMs - performance.now(), 1);
  await Promise.all([
    call('Page.enable', {}),
    call('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
    call('Network.setBlockedURLs', { urls: BLOCKED_URLS }),
    call('Security.setIgnoreCertificateErrors', { ignore: true }),
    call('Emulation.setUserAgentOverride', identityOf(order.userAgent, order.viewport.mobile)),
    call('Emulation.setTouchEmulationEnabled', { enabled: order.viewport.mobile }),
    call('Emulation.setDeviceMetricsOverride', { ...order.viewport, deviceScaleFactor: 1 }),
    call('Emulation.setFocusEmulationEnabled', { enabled: true }),
  ]);
  // The main frame has the name of its target.
  const watch = watchPage(targetId);
  const settled = Promise.withResolvers<void>();
  const passed = Promise.withResolvers<void>();
  let earlier: EarlierPage | null = null;
  const onEvent = settleWhenDone(watch, {
    loaded: () => void moveMouse(call, order.viewport).catch(() => {}),
    async passTime() {
      const snapshot = await call('DOMSnapshot.captureSnapshot', SNAPSHOT);
      earlier = { snapshot, hops: watch.hops.length, url: watch.current?.url ?? '' };
      const limit = setTimeout(passed.resolve, PASSING_MS);
      // Its timers run ahead, and wait for its requests.
      const policy = 'pauseIfNetworkFetchesPending';
      call('Emulation.setVirtualTimePolicy', { policy, budget: PASSED_MS }).catch(passed.resolve);
      await passed.promise;
      clearTimeout(limit);
    },
    done: settled.resolve,
  });
  const stopListening = cdp.listen((event) => {
    closePopup(cdp, event, browserContextId, targetId);
    if (event.sessionId !== sessionId) return;
    if (event.method === 'Page.javascriptDialogOpening') {
      const accept = event.params.type === 'beforeunload';
      call('Page.handleJavaScriptDialog', { accept }).catch(() => {});
    }
    watch.take(event);
    if (event.method === 'Emulation.virtualTimeBudgetExpired') passed.resolve();
    onEvent();
  });
  const timer = setTimeout(settled.resolve, Math.max(leftMs() - CAPTURE_MS, 0));
  try {
    // A page that cannot be shown has its error in the document.
    call('Page.navigate', { url: order.url }).catch(() => {});
    await Promise.race([settled.promise, cdp.closed]);
    if (watch.hasCrashed) throw new CdpError('closed', 'the page ended its process');
    return await capture({ call, leftMs }, watch, order, earlier);
  } finally {
    clearTimeout(timer);
    onEvent.cancel();
    stopListening();
  }
}

/** Closes what a page opens beside itself. */
function closePopup(cdp: CdpSession, event: CdpEvent, context: string, own: string): void {
  if (event.method !== 'Target.targetCreated') return;
  const { targetId, type, browserContextId } = event.params.targetInfo;
  if (type !== 'page' || browserContextId !== context || targetId === own) return;
  cdp.call('Target.closeTarget', { targetId }).catch(() => {});
}

/** Sends a command to the page of a visit. */
type CallPage = <Name extends keyof CdpCommands>(
  method: Name,
  params: CdpCommands[Name]['in'],
  timeoutMs?: CdpCallOptions['timeoutMs'],
) => Promise<CdpCommands[Name]['out']>;

/** Parts of a page to read. */
interface CaptureOrder {
  /** True if the page has scripts: what it shows may not be all of it. */
  readonly hasScripts: boolean;
  /** True to take a picture. */
  readonly takesPicture: boolean;
  readonly viewport: Viewport;
}

/** Maximum size of a picture, in bytes, and the qualities that are tried for it. */
const MAX_PICTURE_BYTES = 200_000;
const QUALITIES = [70, 40, 15];

/** A page before its timers ran ahead. */
interface EarlierPage {
  readonly snapshot: DomSnapshot;
  readonly url: string;
  /** Number of steps by then. */
  readonly hops: number;
}

const SNAPSHOT = { computedStyles: SNAPSHOT_STYLES, includeBlendedBackgroundColors: true };

/** Reads a page as it is now, or as it was before it became busy without end. Throws CdpError if it does not answer. */
async function capture(
  { call, leftMs }: { readonly call: CallPage; leftMs(): number },
  watch: PageWatch,
  { hasScripts, takesPicture, viewport }: CaptureOrder,
  earlier: EarlierPage | null,
): Promise<RenderedPage> {
  const now = call('DOMSnapshot.captureSnapshot', SNAPSHOT, Math.max(leftMs() - GIVE_UP_MS, 1)).catch((error) => {
    if (earlier === null || !(error instanceof CdpError) || error.code === 'closed') throw error;
    return null;
  });
  const snapshot = (await now) ?? earlier?.snapshot;
  const { current, hops, frameUrls, requests, hasLoaded } = watch;
  if (current === null || snapshot === undefined) throw new CdpError('refused', 'the browser went nowhere');
  const isHung = snapshot === earlier?.snapshot;
  const { document, frames, boxes, isCut } = readSnapshot(snapshot, viewport, hasScripts);
  const before = !isHung && earlier !== null && hasLost(earlier, snapshot, hops.length) ? earlier : null;
  const isShown = document !== null && /^https?:/.test(document.url);
  const url = isHung ? earlier.url : current.url;
  return {
    hops: [...hops],
    finalUrl: url,
    statusCode: current.status,
    headers: current.headers,
    document: isShown ? { ...document, url } : null,
    earlier: before && withUrl(readSnapshot(before.snapshot, viewport, hasScripts).document, before.url),
    frames,
    frameUrls: [...frameUrls],
    boxes,
    hasLoaded,
    isCut: isCut || isHung,
    requests,
    screenshot: takesPicture && isShown && !isHung ? await takePicture(call, viewport) : null,
  };
}

/** Returns true if a page went on, or has no fields any more. */
function hasLost(earlier: EarlierPage, { strings }: DomSnapshot, hops: number): boolean {
  return earlier.hops < hops || (earlier.snapshot.strings.includes('INPUT') && !strings.includes('INPUT'));
}

function withUrl(document: RenderedDocument | null, url: string): RenderedDocument | null {
  return document !== null && /^https?:/.test(document.url) ? { ...document, url } : null;
}

/** Moves the mouse over a page and back, and scrolls: some pages show nothing before. Presses nothing. */
async function moveMouse(call: CallPage, { width, height }: Viewport): Promise<void> {
  const at = (step: number) => ({ x: Math.round(width / 2) + 9 * step, y: Math.round(height / 3) + 7 * step });
  const acts = [
    ...[0, 1, 2, 3, 4, 5].map((step) => ({ ...at(step), type: 'mouseMoved' }) as const),
    ...[200, -400].map((deltaY) => ({ ...at(5), type: 'mouseWheel', deltaX: 0, deltaY }) as const),
  ];
  // One after the other: a page sees those of one frame as one.
  for (const act of acts) await call('Input.dispatchMouseEvent', act);
}

/** Takes a picture of the window; null if the page does not let itself be painted in time, or is too large a picture. */
async function takePicture(call: CallPage, { width, height }: Viewport): Promise<Screenshot | null> {
  try {
    for (const quality of QUALITIES) {
      const { data } = await call('Page.captureScreenshot', { format: 'webp', quality, optimizeForSpeed: false });
      const bytes = new Uint8Array(Buffer.from(data, 'base64'));
      if (bytes.length <= MAX_PICTURE_BYTES) return { bytes, width, height };
    }
  } catch (error) {
    if (!(error instanceof CdpError) || error.code === 'closed') throw error;
  }
  return null;
}
