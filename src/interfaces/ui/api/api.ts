import type { About } from '#src/checks/record/about.ts';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import type { HistoryPage, HistorySummary } from '#src/checks/record/history-page.ts';
import type { Stats } from '#src/checks/record/stats.ts';
import type { TodaysVerdict } from '#src/checks/record/todays-verdict.ts';
import type { Mismatch } from '#src/engine/message/mismatch.ts';
import { createEventReader } from './event-stream.ts';

/** A stage of a running check, as the service reports it. */
export interface Stage {
  readonly stage: string;
  readonly state: 'started' | 'finished';
  readonly elapsed_seconds: number;
}

/** A request that failed. `status` is 0 if the service is unreachable. */
export interface Refusal {
  readonly status: number;
  /** Kind of the problem as named by the API; empty if unnamed. */
  readonly code: string;
  /** The service's message in English; empty if it sent none. */
  readonly detail: string;
  /** Seconds until a retry may succeed; null if the service did not say. */
  readonly retryAfterSeconds: number | null;
}

/** Thrown by every call of this file that did not bring what was asked for. */
export class RefusalError extends Error {
  override readonly name = 'RefusalError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

/** A check's result with its signature. */
export interface SignedResult {
  readonly result: CheckResult;
  /** Signature that verifies a link to the result; null if the service does not sign. */
  readonly signature: string | null;
}

/** Requests one check and reports its stages. */
export async function requestCheck(
  order: { readonly url: string; readonly isPrivate: boolean; readonly visit: boolean },
  onStage: (stage: Stage) => void,
  signal: AbortSignal,
): Promise<SignedResult> {
  const body = { url: order.url, private_mode: order.isPrivate, visit: order.visit };
  const response = await post('api/check-url/stream', body, { headers: { Accept: 'text/event-stream' }, signal });
  return await readStages(response, onStage);
}

/** A page of the public history; `query` holds the parameters of the operation. */
export async function requestHistory(
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<HistoryPage> {
  const response = await send(`api/history?${new URLSearchParams(query)}`, { signal });
  return (await response.json()) as HistoryPage;
}

/** Requests the number and time span of the matching public checks. */
export async function requestSummary(
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<HistorySummary> {
  const response = await send(`api/history/summary?${new URLSearchParams(query)}`, { signal });
  return (await response.json()) as HistorySummary;
}

/** Requests the statistics of the public checks. */
export async function requestStats(signal: AbortSignal): Promise<Stats> {
  const response = await send('api/stats', { signal });
  return (await response.json()) as Stats;
}

/** True if the service signed what a link holds, and what it says of the URL today. */
export interface Verification {
  readonly is_signed: boolean;
  readonly today: TodaysVerdict | null;
}

/** Asks the service whether it signed what a link holds: the browser has no cryptography without https. */
export async function requestVerification(link: string, signal: AbortSignal): Promise<Verification> {
  const response = await post('api/results/verify', { link }, { signal });
  return (await response.json()) as Verification;
}

/** Requests a signature for a result and its mismatch with the message; null if the service did not sign the result. */
export async function requestSignature(link: string, { says, goesTo }: Mismatch): Promise<string | null> {
  const response = await post('api/results/sign', { link, says, goes_to: goesTo });
  return ((await response.json()) as { readonly signature: string | null }).signature;
}

/** Sends feedback on a link to the operator. */
export async function requestFeedback(given: {
  readonly request_id: string;
  readonly verdict: 'malicious' | 'benign';
  readonly comment: string;
}): Promise<void> {
  await post('api/feedback', given);
}

/** Requests the description of the service and the reader's limits. */
export async function requestAbout(signal?: AbortSignal): Promise<About> {
  const response = await send('api/about', signal ? { signal } : {});
  return (await response.json()) as About;
}

async function post(path: string, body: object, { headers, ...init }: RequestInit = {}): Promise<Response> {
  const json = { 'Content-Type': 'application/json' };
  return await send(path, { ...init, method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
}

/** Sends a request to the service. Throws RefusalError. */
export async function send(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      ...init,
      credentials: 'same-origin',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new RefusalError(NO_ANSWER);
  }
  if (response.ok) return response;
  const problem: unknown = await response.json().catch(() => null);
  throw new RefusalError(refusalOf(response.status, problem, response.headers.get('retry-after')));
}

async function readStages(response: Response, onStage: (stage: Stage) => void): Promise<SignedResult> {
  let signature: string | null = null;
  for await (const { event, value } of eventsOf(response)) {
    if (event === 'stage') onStage(value as Stage);
    else if (event === 'signature') ({ signature } = value as { readonly signature: string });
    else if (event === 'result') return { result: value as CheckResult, signature };
  }
  throw new RefusalError(NO_ANSWER);
}

/** Refusal of a service that did not answer to the end. */
export const NO_ANSWER: Refusal = { status: 0, code: '', detail: '', retryAfterSeconds: null };

/** Reads the events of an answer with their values; throws RefusalError for a problem among them. */
export async function* eventsOf(
  response: Response,
): AsyncGenerator<{ readonly event: string; readonly value: unknown }> {
  const read = createEventReader();
  for await (const piece of piecesOf(response)) {
    for (const { event, data } of read(piece)) {
      const value: unknown = JSON.parse(data);
      if (event === 'problem') throw new RefusalError(refusalOf(500, value, null));
      yield { event, value };
    }
  }
}

/** Reads an answer as text, in the pieces in which it comes. */
export async function* piecesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) yield part.value;
}

function refusalOf(status: number, problem: unknown, retryAfter: string | null): Refusal {
  const stated = typeof problem === 'object' && problem !== null ? problem : {};
  const detail = 'detail' in stated && typeof stated.detail === 'string' ? stated.detail : '';
  const own = 'status' in stated && typeof stated.status === 'number' ? stated.status : status;
  const seconds = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null;
  const code = 'code' in stated && typeof stated.code === 'string' ? stated.code : '';
  return { status: own, code, detail, retryAfterSeconds: seconds };
}
