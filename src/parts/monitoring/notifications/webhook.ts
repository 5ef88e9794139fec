import { createHmac } from 'node:crypto';
import { type Clock, DAY_MS } from '#src/core/base/clock.ts';
import { GivenUp } from '#src/core/base/outbox.ts';
import { VERSION } from '#src/core/base/version.ts';
import type { Notification } from './notification.ts';

/** Options of posting notifications. */
export interface WebhookParts {
  readonly url: string;
  readonly key: Buffer;
  /** Name of this host or node. */
  readonly source: string;
  /** Certificates of all trusted authorities, as PEM. */
  readonly authorities: readonly string[];
  readonly clock: Pick<Clock, 'now'>;
  /** Called when a notification is not tried again. */
  readonly onGivenUp: (notification: Notification, problem: string) => void;
}

/** Time for one answer, in milliseconds. The Standard Webhooks specification recommends 15 to 30 seconds. */
const TIMEOUT_MS = 15_000;

/** Age at which an undelivered notification is discarded. */
const GIVE_UP_AFTER_MS = DAY_MS;

/** Attempts on a request that the receiver refuses as such; what follows it shall not wait for it for a day. */
const REFUSED_ATTEMPTS = 5;

/**
 * Returns a function that posts one notification as the Standard Webhooks specification 1.0 has it: `webhook-id` and body
 * are the same on every attempt, timestamp and signature are made for each. Redirects are not followed: they could lead
 * the signed request elsewhere.
 *
 * The function throws an Error if the notification is to be posted again, {@link GivenUp} if not.
 */
export function createWebhook(parts: WebhookParts): (one: Notification, stopping: AbortSignal) => Promise<void> {
  const { clock, onGivenUp } = parts;
  let refused = { id: '', times: 0 };
  return async (one, stopping) => {
    const problem = await post(one, parts, stopping);
    if (problem === null) return;
    refused = { id: one.id, times: problem.isRefusal ? (refused.id === one.id ? refused.times : 0) + 1 : 0 };
    const isOld = clock.now() - one.atMs >= GIVE_UP_AFTER_MS;
    if (refused.times < REFUSED_ATTEMPTS && !isOld) throw new Error(problem.text);
    onGivenUp(one, problem.text);
    throw new GivenUp(problem.text);
  };
}

interface PostProblem {
  readonly text: string;
  /** True if the receiver answered that it rejects the request. */
  readonly isRefusal: boolean;
}

async function post(one: Notification, parts: WebhookParts, stopping: AbortSignal): Promise<PostProblem | null> {
  const body = bodyOf(one, parts.source);
  const seconds = Math.floor(parts.clock.now() / 1000);
  try {
    const response = await fetch(parts.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': `lurecheck/${VERSION}`,
        'webhook-id': one.id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signatureOf(parts.key, one.id, seconds, body),
      },
      body,
      signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
      tls: { ca: [...parts.authorities] },
    });
    await response.body?.cancel();
    if (response.ok) return null;
    const { status } = response;
    // 408, 425 and 429 ask for the same request later.
    const isRefusal = status < 500 && ![408, 425, 429].includes(status);
    return { text: `the receiver answered with status ${status}`, isRefusal };
  } catch (error) {
    return { text: describeFailure(error), isRefusal: false };
  }
}

/** Says why there was no answer, as the end of a sentence. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `the receiver did not answer within ${TIMEOUT_MS / 1000} seconds`;
  return 'code' in error ? `cannot reach the receiver (${String(error.code)})` : error.message;
}

/** Asks the receiver for its headers, which sends no notification. Returns why it does not answer; null if it does. */
export async function receiverProblem(url: string, authorities: readonly string[]): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal, tls: { ca: [...authorities] } });
    await response.body?.cancel();
    return null;
  } catch (error) {
    return describeFailure(error);
  }
}

/** `v1`, and the HMAC-SHA256 of id, timestamp and body with dots between. */
function signatureOf(key: Buffer, id: string, seconds: number, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

function bodyOf({ type, atMs, data }: Notification, source: string): string {
  return JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), source, data });
}
