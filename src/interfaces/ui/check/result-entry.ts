/** State that marks a history entry as a result's. It contains no link. */
const OF_RESULT = 'result';

/**
 * Adds a history entry for a result after that of the text box, so that Back leads to the text box; consecutive results
 * share one entry.
 */
export function enterResult(): void {
  if (!isResultEntry(history.state)) history.pushState(OF_RESULT, '');
}

/** Returns true if the state of an entry is that of a result. */
export function isResultEntry(state: unknown): boolean {
  return state === OF_RESULT;
}
