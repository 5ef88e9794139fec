import type { BrowserState } from './process/keep-browser.ts';
import type { RenderedPage } from './visit/rendered-page.ts';
import type { VisitOrder } from './visit/visit-page.ts';

/** A message to the thread. */
export type BrowserTask =
  | { readonly kind: 'open'; readonly browser: string }
  | { readonly kind: 'visit'; readonly id: number; readonly order: VisitOrder }
  | { readonly kind: 'close' };

/** A message from the thread. */
export type BrowserAnswer =
  | { readonly kind: 'state'; readonly state: BrowserState }
  | { readonly kind: 'visited'; readonly id: number; readonly page: RenderedPage }
  | { readonly kind: 'failed'; readonly id: number; readonly status: 'timeout' | 'error'; readonly problem: string }
  | { readonly kind: 'closed' };
