import { claimedBrand, type PageBrand } from './brand-claim.ts';
import { type PageView, type ViewSubject, viewPage } from './page-view.ts';

/** A page as its signs read it. */
export interface PageReading extends PageView {
  /** The brand that the page presents itself as, whether it is the brand's own or not; null where it presents none. */
  readonly claim: PageBrand | null;
}

/** Reads the page that a visit brought, once for all signs and for the brand of the answer; null where none was read. */
export function readVisitedPage(subject: ViewSubject): PageReading | null {
  const view = viewPage(subject);
  return view && { ...view, claim: claimedBrand(view) };
}
