import type { HistoryItem } from '#src/checks/record/history-page.ts';
import type { requestHistory } from '../api/api.ts';
import type { Child } from '../elements/dom.ts';

/** Source of a list of checks, with its additional features. */
export interface HistorySource {
  readonly load: typeof requestHistory;
  /** True for a private log: nothing of it is offered for a public check. */
  readonly isPrivate: boolean;
  /** The address of the list of all checks of a domain. */
  hrefOfSite(domain: string): string;
  /** Actions on a check for authorised readers. */
  actions(item: ShownCheck): Child;
  /** Content of an opened row, beside its own columns. */
  details?(item: ShownCheck): Child;
}

/** A check as a row shows it. */
export type ShownCheck = Omit<HistoryItem, 'model_version'>;
