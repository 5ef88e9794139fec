/** Calls `then` once when a signal aborts, immediately if it has. */
export function onceAborted(signal: AbortSignal | undefined, then: () => void): void {
  if (signal?.aborted) then();
  else signal?.addEventListener('abort', then, { once: true });
}
