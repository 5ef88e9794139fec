import type { requestHistory } from '../api/api.ts';
import type { Child } from '../elements/dom.ts';
import type { ShownCheck } from './shown-check.ts';

/** Where a list of checks comes from, and what it offers beside them. */
export interface HistorySource {
  readonly load: typeof requestHistory;
  /** True for a private log: nothing of it is offered for a public check. */
  readonly isPrivate: boolean;
  /** The address of the list of all checks of a domain. */
  hrefOfSite(domain: string): string;
  /** What can be done about a check, for those who may. */
  actions(item: ShownCheck): Child;
  /** Content of an opened row, beside its own columns. */
  details?(item: ShownCheck): Child;
}
