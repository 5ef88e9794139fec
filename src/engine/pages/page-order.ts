import type { OwnBrand } from '#src/engine/analyzers/page/configured-brand.ts';
import type { ViewSubject } from '#src/engine/analyzers/page/page-view.ts';
import type { JudgedPage } from '#src/engine/analyzers/page.ts';
import type { HtmlLimits } from '#src/network/html/limits.ts';
import type { PageSource } from '#src/network/html/read-page.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import type { Target } from '#src/core/url/target.ts';
import type { CarriedPage } from './carried-page.ts';
import type { ThreadControl } from './thread-control.ts';

/** One page to read or to judge in another thread. */
export type PageOrder = ReadOrder | JudgeOrder;

/** What a page thread is sent. */
export interface PageMessage {
  readonly order: PageOrder;
  readonly control: ThreadControl;
}

/** The answer is a {@link PageAnswers.read}. */
export interface ReadOrder {
  readonly kind: 'read';
  readonly bytes: Uint8Array;
  readonly source: PageSource;
  readonly limits: HtmlLimits;
}

/** The answer is a {@link PageAnswers.judge}. */
export interface JudgeOrder {
  readonly kind: 'judge';
  readonly target: Target;
  /** The visit without its page. */
  readonly visit: Omit<PageVisit, 'document'>;
  readonly page: CarriedPage['whole'];
  readonly hosts: Pick<ViewSubject['observations'], 'certificate' | 'landing'>;
  readonly ownBrands: readonly OwnBrand[];
}

/** What comes back, by the kind of the order. */
export interface PageAnswers {
  readonly read: CarriedPage;
  readonly judge: JudgedPage | null;
}
