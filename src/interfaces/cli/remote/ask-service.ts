import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { ServiceAddress } from './service-address.ts';
import { readItems, readProblem, type ServiceItem } from './service-answer.ts';

/** Time for a hundred checks at their deadlines, and a queue before them, in milliseconds. */
const PATIENCE_MS = 15 * 60_000;

/** Question to a service. */
export interface ServiceQuestion {
  readonly urls: readonly string[];
  readonly isPrivate: boolean;
}

/**
 * Asks a service; returns the answer for each URL. If it accepts none of them now, all have the same problem. Throws
 * RemoteServiceError if there is no answer, or it is not from such a service.
 */
export type AskService = (question: ServiceQuestion) => Promise<readonly ServiceItem[]>;

/** A service cannot be asked, with why in a sentence. */
export class RemoteServiceError extends Error {
  override readonly name = 'RemoteServiceError';
}

/** A way to ask; `authorities` are those that are trusted, as PEM text. */
export function serviceAt({ url, key }: ServiceAddress, authorities: readonly string[]): AskService {
  const headers = { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) };
  // Regardless of the environment, the key and the URLs go only to this server.
  const way = { tls: { rejectUnauthorized: true, ca: [...authorities] }, redirect: 'manual' } as const;
  const failed = (why: string, cause?: unknown) => new RemoteServiceError(`the service at ${url} ${why}`, { cause });

  async function send({ urls, isPrivate }: ServiceQuestion): Promise<{ response: Response; text: string }> {
    const body = JSON.stringify({ urls, private_mode: isPrivate });
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      const response = await fetch(`${url}/api/check-urls`, { method: 'POST', headers, body, signal, ...way });
      return { response, text: await response.text() };
    } catch (error) {
      throw failed(obstacleIn(error), error);
    }
  }

  return async (question) => {
    const { response, text } = await send(question);
    const { status } = response;
    if (status === 200) {
      const items = readItems(text, question.urls.length);
      if (items) return items;
      throw failed('sent an answer that this version does not understand');
    }
    const problem = readProblem(text);
    const wait = response.headers.get('retry-after');
    if (problem && wait !== null && /^\d{1,9}$/.test(wait)) {
      return question.urls.map(() => ({ problem: { ...problem, retry_after_seconds: Number(wait) } }));
    }
    if (problem && status !== 404) throw failed(`refuses (${status}): ${visibleInTerminal(problem.detail)}`);
    const hint = status === 404 ? ': expected a lurecheck of this version or newer at this path' : '';
    throw failed(`answers with status ${status}${hint}`);
  };
}

/** Describes why a server does not answer, by the code of the runtime's error. */
function obstacleIn(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof Error && error.name === 'TimeoutError') return 'timed out';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'has a certificate for a different name';
  if (/CERT|SIGNATURE|ISSUER/.test(code)) {
    return `has an untrusted certificate (${code}); add your own authority with --egress-ca FILE`;
  }
  return `is unreachable${code === '' ? '' : ` (${code})`}`;
}
