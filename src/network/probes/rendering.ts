import type { Target } from '#src/core/url/target.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import type { RenderReport } from './observations.ts';
import type { PageVisit } from './page-visit.ts';
import type { ReadPage } from './visit/read-hop.ts';

/** A page to visit with a browser. */
export interface RenderSubject {
  readonly target: Target;
  /** Result of the visit without scripts. */
  readonly visit: PageVisit;
  readonly egressClient: Pick<EgressClient, 'openSocks'>;
  readonly readPage: ReadPage;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A visit that includes what a browser saw, if there is that. */
export interface Rendering {
  readonly visit: PageVisit;
  readonly report: RenderReport;
}

/** Visits a page with a browser. Never throws: without a result, the visit is unchanged. */
export type RenderPage = (subject: RenderSubject) => Promise<Rendering>;
