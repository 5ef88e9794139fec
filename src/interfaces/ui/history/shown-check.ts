import type { HistoryItem } from '#src/checks/record/history-page.ts';

/** What a row says of a check. */
export type ShownCheck = Omit<HistoryItem, 'model_version'>;
