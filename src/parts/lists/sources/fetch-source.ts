import { OperationError } from '#src/core/base/errors/operation-error.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { VERSION } from '#src/core/base/version.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import type { Hop } from '#src/network/egress/http/hop.ts';
import { redirectTarget } from '#src/network/probes/visit/ways-on.ts';
import type { Validators } from './source-state.ts';

/** Largest list that is fetched, in bytes after decompression; about three million hosts. */
export const MAX_SOURCE_BYTES = 64 * 1024 * 1024;

/** Time for one answer of a source, in milliseconds. */
const TIMEOUT_MS = 120_000;

const MAX_REDIRECTS = 5;

/** A version of a list; null if it has not changed. */
export type Fetched = { readonly bytes: Uint8Array; readonly validators: Validators } | null;

/**
 * Fetches a list over https by the egress policy, unless the server says that it has not changed.
 *
 * @param onDate takes the time that a server states, in milliseconds since the Unix epoch; NaN for none
 * @throws OperationError if it cannot be fetched whole; the message holds no part of the URL but the host
 */
export async function fetchSource(
  url: string,
  known: Validators | null,
  egressClient: Pick<EgressClient, 'fetchHop'>,
  signal: AbortSignal,
  onDate: (ms: number) => void = () => {},
): Promise<Fetched> {
  let target = targetOf(url);
  for (let redirects = 0; ; redirects++) {
    const hop = await fetchOnce(target, known, egressClient, signal);
    // A cache on the way states the age of its answer.
    if (!hop.headers.has('age')) onDate(Date.parse(hop.headers.get('date') ?? ''));
    if (hop.status === 304 && known !== null) return null;
    const next = redirectTarget(target, hop);
    if (next === null) return takeWhole(target, hop);
    if (redirects === MAX_REDIRECTS) throw failed(target, 'redirects too often');
    if (next instanceof FailureError || next.scheme !== 'https')
      throw failed(target, 'redirects to something other than an https URL');
    target = next;
  }
}

async function fetchOnce(
  url: Target,
  known: Validators | null,
  egressClient: Pick<EgressClient, 'fetchHop'>,
  signal: AbortSignal,
): Promise<Hop> {
  const headers = {
    'User-Agent': `lurecheck/${VERSION}`,
    ...(known?.etag && { 'If-None-Match': known.etag }),
    ...(known?.last_modified && { 'If-Modified-Since': known.last_modified }),
  };
  try {
    return await egressClient.fetchHop(
      { url, headers, bodyBytes: MAX_SOURCE_BYTES, timeoutMs: TIMEOUT_MS, trustRequired: true, skipRedirectBody: true },
      signal,
    );
  } catch (error) {
    if (!(error instanceof FailureError) || error.code === 'internal_error') throw error;
    throw failed(url, `cannot be reached: ${error.message}`);
  }
}

function takeWhole(url: Target, { status, headers, body, truncated, decoded }: Hop): Fetched {
  if (status !== 200) throw failed(url, `answers with status ${status}`);
  if (!decoded) throw failed(url, 'answers in an unknown content coding');
  if (truncated) throw failed(url, `answers with more than ${MAX_SOURCE_BYTES / 1024 / 1024} MiB, or was cut short`);
  const validator = (name: string) => printable(headers.get(name));
  return { bytes: body, validators: { etag: validator('etag'), last_modified: validator('last-modified') } };
}

/** A validator that can be sent back; null for any other. */
function printable(value: string | undefined): string | null {
  return value !== undefined && /^[\x20-\x7e]{1,1024}$/.test(value) ? value : null;
}

function targetOf(url: string): Target {
  const target = parseTarget(url);
  if (isTargetProblem(target)) throw new OperationError('source_failed', [`its URL ${target.message}`]);
  return target;
}

const failed = ({ host }: Target, what: string) => new OperationError('source_failed', [`${host.text} ${what}`]);
