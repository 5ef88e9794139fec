import { claimedBrand, type PageBrand } from './brand-claim.ts';
import { type PageView, type ViewSubject, viewPage } from './page-view.ts';

/** Input of the signals. */
export interface PageReading extends PageView {
  /** Brand that the page presents itself as, its own or not; null if none. */
  readonly claim: PageBrand | null;
}

/** Prepares the page of a visit for all signals; null if no page was read. */
export function readVisitedPage(subject: ViewSubject): PageReading | null {
  const view = viewPage(subject);
  return view && { ...view, claim: claimedBrand(view) };
}
