/**
 * Waits at most `ms` for a promise that has no timeout of its own; throws `late()` after that.
 *
 * A process that was blocked runs due timers before it reads its sockets. The promise therefore gets one more turn of
 * the event loop, because its result may already have arrived.
 */
export async function withTimeout<T>(
  waitedFor: Promise<T>,
  ms: number,
  late = () => new Error('it does not answer in time'),
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  let timer = setTimeout(() => {
    timer = setTimeout(() => setImmediate(() => reject(late())), EVENT_LOOP_TURN_MS);
  }, ms);
  try {
    return await Promise.race([waitedFor, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Time for one turn of the event loop, in milliseconds. */
const EVENT_LOOP_TURN_MS = 1;
