import { isTargetProblem, parseTarget, type Target } from '#src/url/target.ts';
import { badFields } from '../http/bad-fields.ts';
import type { FieldError, Problem } from '../http/problem.ts';
import { readStrictJson, shorten } from './strict-json.ts';

/** What a client asked to be checked. */
export interface CheckOrder {
  readonly target: Target;
  readonly privateMode: boolean;
}

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

/** Unknown members that one refusal names at most: what is shown back of a request stays short. */
const MAX_NAMED = 4;

/** Why a request cannot be one to check a URL, before any of its body is read. */
export function bodyRefusal(headers: Headers): Problem | null {
  if (!JSON_TYPE.test(headers.get('content-type') ?? '')) {
    return { status: 415, detail: 'Send the body as JSON, with the header Content-Type: application/json.' };
  }
  const encoding = headers.get('content-encoding');
  if (encoding === null || encoding.toLowerCase() === 'identity') return null;
  return { status: 415, detail: 'Send the body as it is, without a Content-Encoding.' };
}

/** Reads the body of a request to check a URL. Nothing is coerced: no misspelt wish for privacy is overlooked. */
export function readCheckOrder(body: Uint8Array): CheckOrder | Problem {
  const json = readStrictJson(body);
  if ('refusal' in json) return { status: 400, detail: json.refusal };
  if (!isObject(json.value)) {
    return { status: 400, detail: 'The body must be a JSON object such as {"url": "https://example.com/"}.' };
  }
  const { url, private_mode: privateMode, ...unknown } = json.value;
  const target =
    typeof url === 'string' ? parseTarget(url) : { message: url === undefined ? 'is required' : 'must be a string' };
  const errors: FieldError[] = [];
  if (isTargetProblem(target)) errors.push({ field: 'url', message: target.message });
  if (privateMode !== undefined && typeof privateMode !== 'boolean') {
    errors.push({ field: 'private_mode', message: 'must be true or false' });
  }
  for (const name of Object.keys(unknown).slice(0, MAX_NAMED)) {
    errors.push({ field: shorten(name), message: 'is not a member of this request' });
  }
  if (errors.length > 0 || isTargetProblem(target)) return badFields(errors);
  return { target, privateMode: privateMode === true };
}

/** A JSON object; its members are all its own, so that `undefined` means that one is missing. */
function isObject(value: unknown): value is Record<'url' | 'private_mode', unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
