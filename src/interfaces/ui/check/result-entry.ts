/** What marks an entry of the browser's history as that of a result. It names no link. */
const OF_RESULT = 'result';

/** Puts an entry for a result behind that of the box, so that Back leads to the box; one stands for all results in a row. */
export function enterResult(): void {
  if (!isResultEntry(history.state)) history.pushState(OF_RESULT, '');
}

/** Whether the state of an entry is that of a result. */
export function isResultEntry(state: unknown): boolean {
  return state === OF_RESULT;
}
