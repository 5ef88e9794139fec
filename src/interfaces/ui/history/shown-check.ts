import type { HistoryItem } from '#src/checks/record/history-page.ts';

/** A check as a row shows it. */
export type ShownCheck = Omit<HistoryItem, 'model_version'>;
