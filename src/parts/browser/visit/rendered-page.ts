import type { PageLook } from '#src/network/probes/page-visit.ts';

/** Ways in which a browser goes from a URL to the next one by itself. */
export type RenderedWay = 'http' | 'refresh' | 'script' | 'form';

/** One step of a browser from a document to the next. */
export interface RenderedHop {
  readonly url: string;
  /** Status of the answer that leads on. */
  readonly status: number;
  readonly location: string;
  readonly how: RenderedWay;
}

/** A document as a browser showed it, as HTML without scripts and styles. */
export interface RenderedDocument {
  /** The URL that it came from. */
  readonly url: string;
  readonly markup: Uint8Array;
}

/** A picture of a page. */
export interface Screenshot {
  /** A WebP file. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A page that a browser has visited. */
export interface RenderedPage {
  readonly hops: readonly RenderedHop[];
  /** The last URL that the browser went to. */
  readonly finalUrl: string;
  /** Status of its answer; 0 if none came. */
  readonly statusCode: number;
  /** Headers of its answer, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the browser shows an error, or saves the answer as a file. */
  readonly document: RenderedDocument | null;
  /** The page before its timers ran, if it went on or lost its fields since; null otherwise. */
  readonly earlier: RenderedDocument | null;
  /** Documents in frames of other sites that are large enough to be seen, the largest first. */
  readonly frames: readonly RenderedDocument[];
  /** URLs of all frames that the browser loaded. */
  readonly frameUrls: readonly string[];
  /** Its fields and buttons in the window. */
  readonly boxes: Pick<PageLook, 'fields' | 'buttons'>;
  /** True if the page had loaded before the time was up. */
  readonly hasLoaded: boolean;
  /** True if the page did not fit in whole. */
  readonly isCut: boolean;
  /** Requests that the page made. */
  readonly requests: number;
  readonly screenshot: Screenshot | null;
}
