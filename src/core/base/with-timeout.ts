/**
 * Waits no longer than that for what has no time-out of its own; throws an error that says so.
 *
 * A process that did nothing else for a while finds its timers due before it reads its sockets. So the answer has one more
 * turn of the event loop before it counts as late: it may have been there all the time.
 */
export async function answeredWithin<T>(
  waitedFor: Promise<T>,
  ms: number,
  late = () => new Error('it does not answer in time'),
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  let timer = setTimeout(() => {
    timer = setTimeout(() => setImmediate(() => reject(late())), TURN_MS);
  }, ms);
  try {
    return await Promise.race([waitedFor, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Enough for the event loop to look at its sockets once. */
const TURN_MS = 1;
