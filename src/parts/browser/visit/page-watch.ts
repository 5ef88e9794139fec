import type { CdpEvent } from '../cdp/cdp-session.ts';
import type { CdpEvents, ResponseInfo } from '../cdp/protocol.ts';
import type { RenderedHop, RenderedWay } from './rendered-page.ts';

/** The state of a visit, as events of its page describe it. */
export interface PageWatch {
  /** Takes an event of the page. */
  take(event: CdpEvent): void;
  readonly hops: readonly RenderedHop[];
  /** The document that the page goes to, or has; null before the first. */
  readonly current: { readonly url: string; readonly status: number; readonly headers: Record<string, string> } | null;
  /** URLs of documents in frames. */
  readonly frameUrls: ReadonlySet<string>;
  readonly requests: number;
  readonly hasLoaded: boolean;
  /** True while no request of the page is in progress. */
  readonly isQuiet: boolean;
  readonly hasCrashed: boolean;
}

/** A page that leads on more often is at no end. */
export const MAX_HOPS = 20;

/** Time that a page has for scripts and requests after it has loaded, and quiet that ends it earlier, in milliseconds. */
const AFTER_LOAD_MS = 3000;
const QUIET_MS = 500;

/** Reasons of navigations; all others are scripts. */
const WAYS: Readonly<Record<string, RenderedWay>> = {
  formSubmissionGet: 'form',
  formSubmissionPost: 'form',
  httpHeaderRefresh: 'refresh',
  metaTagRefresh: 'refresh',
};

/** Starts to follow a page by the events of its main frame. */
export function watchPage(mainFrame: string): PageWatch {
  const hops: RenderedHop[] = [];
  const frameUrls = new Set<string>();
  const inFlight = new Set<string>();
  const state = { requests: 0, hasLoaded: false, hasCrashed: false };
  let current: { url: string; status: number; headers: Record<string, string> } | null = null;
  let how: RenderedWay = 'script';

  const goTo = (url: string, from: RenderedHop | null) => {
    if (from !== null && hops.length < MAX_HOPS) hops.push(from);
    current = { url, status: 0, headers: {} };
  };

  const request = ({ requestId, frameId, type, request: { url }, redirectResponse }: RequestEvent) => {
    state.requests++;
    inFlight.add(requestId);
    if (type !== 'Document' || !isWeb(url)) return;
    if (frameId !== mainFrame) {
      frameUrls.add(url);
    } else if (redirectResponse) {
      goTo(url, { url: redirectResponse.url, status: redirectResponse.status, location: url, how: 'http' });
    } else {
      state.hasLoaded = false;
      goTo(url, current && { url: current.url, status: current.status, location: url, how });
      how = 'script';
    }
  };

  return {
    take(event) {
      if (event.method === 'Network.requestWillBeSent') request(event.params);
      else if (event.method === 'Network.responseReceived') {
        const { type, frameId, response } = event.params;
        if (type === 'Document' && frameId === mainFrame && current) Object.assign(current, headOf(response));
      } else if (event.method === 'Network.loadingFinished' || event.method === 'Network.loadingFailed') {
        inFlight.delete(event.params.requestId);
      } else if (event.method === 'Page.frameRequestedNavigation') {
        if (event.params.frameId === mainFrame) how = WAYS[event.params.reason] ?? 'script';
      } else if (event.method === 'Page.loadEventFired') state.hasLoaded = true;
      else if (event.method === 'Inspector.targetCrashed') state.hasCrashed = true;
    },
    hops,
    frameUrls,
    get current() {
      return current;
    },
    get requests() {
      return state.requests;
    },
    get hasLoaded() {
      return state.hasLoaded;
    },
    get isQuiet() {
      return inFlight.size === 0;
    },
    get hasCrashed() {
      return state.hasCrashed;
    },
  };
}

/** Acts of a visit until its page has settled. */
interface Settling {
  /** Called for each document that has loaded. */
  loaded(): void;
  /** Lets the timers of the quiet page run ahead. */
  passTime(): Promise<void>;
  /** Called when the page has nothing left to do. */
  done(): void;
}

/** Returns a function to call after each event of a page. */
export function settleWhenDone(watch: PageWatch, { loaded, passTime, done }: Settling): (() => void) & Cancelled {
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let afterLoad: ReturnType<typeof setTimeout> | undefined;
  let time: 'ahead' | 'passing' | 'passed' = 'ahead';
  const cancel = () => {
    clearTimeout(quiet);
    clearTimeout(afterLoad);
    [quiet, afterLoad] = [undefined, undefined];
  };
  const pass = async () => {
    if (time !== 'ahead') return;
    time = 'passing';
    await passTime().catch(done);
    time = 'passed';
  };
  const onQuiet = async () => {
    await pass();
    if (watch.hasLoaded && watch.isQuiet) done();
    else onEvent();
  };
  // A page that is never quiet has its time as well.
  const onLong = () => void pass().then(done);
  const onEvent = () => {
    if (watch.hasCrashed || watch.hops.length >= MAX_HOPS) return done();
    if (!watch.hasLoaded) return cancel();
    if (afterLoad === undefined) loaded();
    afterLoad ??= setTimeout(onLong, AFTER_LOAD_MS);
    clearTimeout(quiet);
    quiet = watch.isQuiet && time !== 'passing' ? setTimeout(onQuiet, QUIET_MS) : undefined;
  };
  return Object.assign(onEvent, { cancel });
}

interface Cancelled {
  cancel(): void;
}

type RequestEvent = CdpEvents['Network.requestWillBeSent'];

function isWeb(url: string): boolean {
  return /^https?:/i.test(url);
}

function headOf({ status, headers }: ResponseInfo) {
  return {
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  };
}
