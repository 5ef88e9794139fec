import { type Static, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { type CheckResult, DECISIONS } from '#src/checks/record/check-result.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import type { ServiceAddress } from './service-address.ts';

/** Members of a problem that are printed. A newer service may have more. */
const ProblemSchema = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  code: Type.String(),
  detail: Type.String(),
  retry_after_seconds: Type.Optional(Type.Number({ minimum: 0 })),
});

/** The printed members of a result; others are allowed. */
const ResultSchema = Type.Object({
  url: Type.String(),
  malicious_probability: Type.Number({ minimum: 0, maximum: 1 }),
  decision: stringEnum(DECISIONS),
  analysis_details: Type.Object({
    reasons: Type.Array(Type.Object({ code: Type.String(), message: Type.String(), weight: Type.Number() })),
    unavailable: Type.Array(Type.Object({ component: Type.String(), reason: Type.String() })),
  }),
});

const FailedSchema = Type.Object({ problem: ProblemSchema });

const ItemsSchema = Type.Object({ items: Type.Array(Type.Unknown()) });

/** Why a service did not check something. */
type ServiceProblem = Static<typeof ProblemSchema>;

/** Answer for a URL. */
export type ServiceItem = { readonly result: CheckResult } | { readonly problem: ServiceProblem };

/** Parses the items of an answer, as many as were requested; null if this version does not understand it. */
function readItems(text: string, count: number): readonly ServiceItem[] | null {
  const shaped = readShape(ItemsSchema, parseJson(text));
  if (!('value' in shaped) || shaped.value.items.length !== count) return null;
  const items = shaped.value.items.flatMap((item) => readItem(item) ?? []);
  return items.length === count ? items : null;
}

/** Parses a problem that was returned instead of all items; null if the text is not one. */
function readProblem(text: string): ServiceProblem | null {
  const shaped = readShape(ProblemSchema, parseJson(text));
  return 'value' in shaped ? shaped.value : null;
}

function readItem(item: unknown): ServiceItem | null {
  if (isResult(item)) return { result: item };
  const failed = readShape(FailedSchema, item);
  return 'value' in failed ? { problem: failed.value.problem } : null;
}

function isResult(value: unknown): value is CheckResult {
  return 'value' in readShape(ResultSchema, value);
}

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
