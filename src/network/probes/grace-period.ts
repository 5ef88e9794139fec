import { untilAborted } from '#src/network/egress/budget/deadline.ts';

/** Time in which a probe must end after its signal aborts; a partially received page is still parsed in it. */
const GRACE_MS = 100;

/** Waits for a probe, and stops waiting shortly after its signal aborts if the probe ignores the signal. */
export function withGracePeriod<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => {
    timer = setTimeout(() => late.abort(signal.reason), GRACE_MS);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return untilAborted<T>(late.signal, (resolve, reject) => {
    work.then(resolve, reject);
    return () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
}
