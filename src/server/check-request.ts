import { isTargetProblem, parseTarget, type Target } from '#src/url/target.ts';
import { badFields } from './bad-fields.ts';
import type { FieldError, Problem } from './problem.ts';
import { readBody } from './read-body.ts';
import { readStrictJson, shorten } from './strict-json.ts';

/** What a client asked to be checked. */
export interface CheckOrder {
  readonly target: Target;
  readonly privateMode: boolean;
}

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

/** Unknown members that one refusal names at most: what is shown back of a request stays short. */
const MAX_NAMED = 4;

/** Reads a request to check a URL. Nothing is coerced, so that no misspelt wish for privacy is ever overlooked. */
export async function readCheckRequest(request: Request): Promise<CheckOrder | Problem> {
  if (!JSON_TYPE.test(request.headers.get('content-type') ?? '')) {
    return { status: 415, detail: 'Send the body as JSON, with the header Content-Type: application/json.' };
  }
  const encoding = request.headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return { status: 415, detail: 'Send the body as it is, without a Content-Encoding.' };
  }
  const body = await readBody(request);
  return body instanceof Uint8Array ? readOrder(body) : body;
}

function readOrder(body: Uint8Array): CheckOrder | Problem {
  const json = readStrictJson(body);
  if ('refusal' in json) return { status: 400, detail: json.refusal };
  const { value } = json;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { status: 400, detail: 'The body must be a JSON object such as {"url": "https://example.com/"}.' };
  }
  const members = new Map<string, unknown>(Object.entries(value));
  const errors: FieldError[] = [];
  const url = members.get('url');
  const privateMode = members.get('private_mode');
  const target = typeof url === 'string' ? parseTarget(url) : null;
  if (!target) errors.push({ field: 'url', message: members.has('url') ? 'must be a string' : 'is required' });
  else if (isTargetProblem(target)) errors.push({ field: 'url', message: target.message });
  if (members.has('private_mode') && typeof privateMode !== 'boolean') {
    errors.push({ field: 'private_mode', message: 'must be true or false' });
  }
  const unknown = [...members.keys()].filter((name) => name !== 'url' && name !== 'private_mode');
  for (const name of unknown.slice(0, MAX_NAMED)) {
    errors.push({ field: shorten(name), message: 'is not a member of this request' });
  }
  if (errors.length > 0 || !target || isTargetProblem(target)) return badFields(errors);
  return { target, privateMode: privateMode === true };
}
