import type { Failure } from '#src/core/base/failure.ts';
import type { Target } from '#src/core/url/target.ts';
import type { PageDocument, PageExit } from '#src/network/html/document.ts';

/** Means of moving from a URL to the next. */
export type FollowedWay = 'http' | 'refresh' | Exclude<PageExit['how'], 'link'>;

/** A step of a visit. */
export interface RedirectHop {
  readonly url: string;
  /** A redirect status, or the status of a page that leads on. */
  readonly status: number;
  /** Target as an absolute URL; null if it is invalid. */
  readonly location: string | null;
  /** The address of the server. */
  readonly address: string;
  /** Status and `Location`, or an action of the page. */
  readonly how: FollowedWay;
}

/** A URL to which a page leads and that was not followed: a later refresh, or an exit of the document. */
export interface VisitExit extends Omit<PageExit, 'how'> {
  readonly how: PageExit['how'] | 'refresh';
}

/** The result of a visit to the target. */
export interface PageVisit {
  /** The steps in order, each from a URL that was visited; empty if there were none. */
  readonly redirects: readonly RedirectHop[];
  /**
   * Other pages that were read, each as a separate visit: those that lead on, because visitors see them first, and those
   * in further frames.
   */
  readonly passed: readonly PageVisit[];
  /** URLs to which the page leads and that were not fetched. */
  readonly exits: readonly VisitExit[];
  readonly finalUrl: string;
  /** The status of the last response. */
  readonly statusCode: number;
  /** Size of the last body as read, in bytes, after decompression. */
  readonly contentLength: number;
  /** True if the body exceeded the budget or ended early; the part that was received is analyzed. */
  readonly truncated: boolean;
  /** The response headers that analyzers use, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the last response is not HTML, or could not be parsed. */
  readonly document: PageDocument | null;
  /**
   * Why the visit is incomplete: the next hop was unreachable or denied (`egress_denied…`), or the body could not be
   * read. Null if it is complete.
   */
  readonly stopped: Failure | null;
  /** Absent if no browser took a picture of the page. */
  readonly look?: PageLook;
  /** Absent if it was not asked for. */
  readonly icon?: IconPrint;
}

/** Returns the visit of a target that answers without a redirect. */
export function visitOf(
  target: Target,
  answer: Pick<PageVisit, 'contentLength' | 'document'> & Partial<PageVisit>,
): PageVisit {
  return {
    redirects: [],
    passed: [],
    exits: answer.document?.exits ?? [],
    finalUrl: target.requestUrl,
    statusCode: 200,
    truncated: false,
    headers: {},
    stopped: null,
    ...answer,
  };
}

/** A rectangle of a window, in CSS pixels. */
export type Box = readonly [left: number, top: number, width: number, height: number];

/** Description of how a page looks in a window: numbers from which it cannot be restored. */
export interface PageLook {
  /** Size of the window, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Fields into which one types, from the top. */
  readonly fields: readonly Box[];
  readonly buttons: readonly Box[];
  /** Share of each of 64 colours in 255ths, in hexadecimal: two bits each of red, green and blue. */
  readonly colours: string;
  /** Cells of the picture with an edge, a bit each in rows, in hexadecimal. */
  readonly edges: string;
}

/** Description of the icon of a page. */
export interface IconPrint {
  /** Beginning of the SHA-256 of the file, in hexadecimal. */
  readonly sha256: string;
  /** Difference hash and colours, in hexadecimal. Null if it cannot be decoded, or shows nothing. */
  readonly shape: string | null;
}
