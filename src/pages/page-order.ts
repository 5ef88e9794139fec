import type { OwnBrand } from '#src/analyzers/page/own-brand.ts';
import type { ViewSubject } from '#src/analyzers/page/page-view.ts';
import type { JudgedPage } from '#src/analyzers/page.ts';
import type { PageDocument } from '#src/html/document.ts';
import type { HtmlLimits } from '#src/html/limits.ts';
import type { PageSource } from '#src/html/read-page.ts';

/** One page to read or to judge in another thread. */
export type PageOrder = ReadOrder | JudgeOrder;

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
  readonly seen: Omit<ViewSubject, 'knowledge'>;
  readonly ownBrands: readonly OwnBrand[];
}

/** What comes back, by the kind of the order. */
export interface PageAnswers {
  readonly read: PageDocument;
  readonly judge: JudgedPage | null;
}
