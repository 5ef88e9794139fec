/** Calls `then` once when a signal is aborted, at once where it is already. */
export function onceAborted(signal: AbortSignal | undefined, then: () => void): void {
  if (signal?.aborted) then();
  else signal?.addEventListener('abort', then, { once: true });
}
