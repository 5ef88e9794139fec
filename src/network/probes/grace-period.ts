import { untilAborted } from '#src/network/egress/budget/deadline.ts';

/** How long a probe may take to end once its time is over; a page that came in part is still read in it. */
const GRACE_MS = 100;

/** What a probe answers. It ends by its signal; one that does not is left behind a moment later. */
export function endingSoon<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
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
