import { withTimeout } from '#src/core/base/with-timeout.ts';

/** The reply was late once. */
class LateReply extends Error {
  override readonly name = 'LateReply';
}

/**
 * Waits for a reply, and once more if it is late: on a busy machine the reply, or the server itself, may have waited for a
 * processor. Asking again could take a second place.
 *
 * @param ms how long to wait each time
 */
export async function patientReply<T>(reply: Promise<T>, ms: number): Promise<T> {
  try {
    return await withTimeout(reply, ms, () => new LateReply());
  } catch (error) {
    if (!(error instanceof LateReply)) throw error;
    return await withTimeout(reply, ms);
  }
}
