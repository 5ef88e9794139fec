import type { Failure } from '#src/core/base/failure.ts';
import type { PageDocument, PageExit } from '#src/network/html/document.ts';
import type { Target } from '#src/core/url/target.ts';

/** One answer on the way to the page. */
export interface RedirectHop {
  readonly url: string;
  /** A redirection, or the status of a page that sent the visitor on by a refresh. */
  readonly status: number;
  /** Where it pointed to, as an absolute URL; null where it named nothing usable. */
  readonly location: string | null;
  /** The address that was connected to. */
  readonly address: string;
  /** Whether the status and `Location` sent the visitor on, or a refresh did. */
  readonly how: 'http' | 'refresh';
}

/** Where a page leads without having been followed: a refresh behind the one that was, or an exit of the document. */
export interface VisitExit {
  readonly how: PageExit['how'] | 'refresh';
  /** Absolute web address. */
  readonly url: string;
}

/** What a visit to the target brought. */
export interface PageVisit {
  /** The hops that redirected, in order; empty where the first answer was the last. */
  readonly redirects: readonly RedirectHop[];
  /** The pages that sent the visitor on by a refresh, each as a visit of its own: visitors see them first. */
  readonly passed: readonly PageVisit[];
  /** Where the page leads without having been followed. */
  readonly exits: readonly VisitExit[];
  readonly finalUrl: string;
  /** The status of the last response. */
  readonly statusCode: number;
  /** Bytes of the last body that were read, after decompression. */
  readonly contentLength: number;
  /** True where the body was longer than the budget or ended early; what came is still analysed. */
  readonly truncated: boolean;
  /** The response headers that matter to an analyzer, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the last response is not HTML, or could not be read as such. */
  readonly document: PageDocument | null;
  /**
   * Why the visit ended before its end: the next hop could not be reached, or is not allowed (`egress_denied…`), or the
   * body could not be read. Null where it was seen whole.
   */
  readonly stopped: Failure | null;
}

/** The visit that `target` would have brought had it answered with this at once, without a redirect. */
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
