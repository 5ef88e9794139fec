/** Waits no longer than that for what has no time-out of its own; throws an error that says so. */
export async function answeredWithin<T>(waitedFor: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('it does not answer in time')), ms);
  try {
    return await Promise.race([waitedFor, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
