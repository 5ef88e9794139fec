import type { Target } from '#src/core/url/target.ts';
import type { ConfiguredBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import type { ViewSubject } from '#src/engine/analyzers/page/page-view.ts';
import type { AnalyzedPage } from '#src/engine/analyzers/page.ts';
import type { HtmlLimits } from '#src/network/html/limits.ts';
import type { PageSource } from '#src/network/html/read-page.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import type { PackedPage } from './packed-page.ts';
import type { ThreadControl } from './thread-control.ts';

/** A page to read or analyze in another thread. */
export type PageTask = ReadTask | AnalyzeTask;

/** A message to a page thread. */
export interface PageMessage {
  readonly task: PageTask;
  readonly control: ThreadControl;
}

/** The answer is a {@link PageAnswers.read}. */
export interface ReadTask {
  readonly kind: 'read';
  readonly bytes: Uint8Array;
  readonly source: PageSource;
  readonly limits: HtmlLimits;
}

/** The answer is a {@link PageAnswers.analyze}. */
export interface AnalyzeTask {
  readonly kind: 'analyze';
  readonly target: Target;
  /** The visit without its page. */
  readonly visit: Omit<PageVisit, 'document'>;
  readonly page: PackedPage['whole'];
  readonly hosts: Pick<ViewSubject['observations'], 'certificate' | 'landing'>;
  readonly configuredBrands: readonly ConfiguredBrand[];
}

/** Result of each kind of task. */
export interface PageAnswers {
  readonly read: PackedPage;
  readonly analyze: AnalyzedPage | null;
}
