import { Kind, type Static, Type, TypeRegistry } from '@sinclair/typebox';
import type { CheckRequest } from '#src/checks/check/check.ts';
import { isTargetProblem, parseTarget } from '#src/core/url/target.ts';
import { type FieldFault, fieldErrors } from '../http/field-errors.ts';
import { badFields, type Problem } from '../http/problem.ts';
import { CheckRequestSchema } from './check-request.ts';

/** Maximum number of URLs in one request. */
const MAX_URLS = 100;

const { url, visit, private_mode } = CheckRequestSchema.properties;

/** A URL with its own options. */
const BatchUrlSchema = Type.Object(
  { url, visit },
  { $id: 'BatchUrl', additionalProperties: false, description: 'A URL, and if it is visited' },
);

/**
 * TypeBox kind of a batch entry. TypeBox has no schema that accepts anything and is documented as another: one invalid
 * URL must not fail the others.
 */
const KIND = 'LurecheckBatchEntry';

TypeRegistry.Set(KIND, () => true);

const EntrySchema = Type.Unsafe<string | Static<typeof BatchUrlSchema>>({
  anyOf: [url, BatchUrlSchema],
  description: 'A URL, or an object with a URL',
  [Kind]: KIND,
});

const urlsFault: FieldFault = (value) =>
  Array.isArray(value) && value.length >= 1 && value.length <= MAX_URLS
    ? null
    : { code: 'invalid_body', message: `must be a list of 1 to ${MAX_URLS} URLs` };

/** The body of a request to check several URLs. What is wrong with one of them is said of that one alone. */
export const BatchRequestSchema = Type.Object(
  {
    urls: Type.Array(EntrySchema, {
      minItems: 1,
      maxItems: MAX_URLS,
      description: `What to check, 1 to ${MAX_URLS} URLs`,
      fault: urlsFault,
    }),
    private_mode,
  },
  {
    $id: 'BatchRequest',
    additionalProperties: false,
    description: 'What to check. Unknown and duplicate members are refused',
  },
);

export type BatchRequestJson = Static<typeof BatchRequestSchema>;

/** A distinct check of a batch, which may contain it several times. */
export interface BatchEntry {
  /** The URL as sent; null if it is not a text. */
  readonly url: string | null;
  /** The check, or the problem of its entry. */
  readonly request: Pick<CheckRequest, 'target' | 'visit'> | Problem;
  /** Positions among the URLs, counted from 0. */
  readonly places: readonly number[];
}

/** Reads the URLs, each with all its places, in the order in which they first occur. */
export function readEntries(urls: readonly unknown[]): BatchEntry[] {
  const byText = Map.groupBy(urls.map(membersOf).entries(), ([, members]) => JSON.stringify(members));
  return Array.from(byText.values(), (same) => {
    const members = same[0]?.[1] ?? {};
    const url = 'url' in members && typeof members.url === 'string' ? members.url : null;
    return { url, request: requestIn(members, url), places: same.map(([place]) => place) };
  });
}

/** Expands a text to an object with that URL. */
function membersOf(entry: unknown): object {
  return typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? entry : { url: entry };
}

function requestIn(members: object, url: string | null): BatchEntry['request'] {
  const target = parseTarget(url ?? '');
  if (!isTargetProblem(target) && Object.keys(members).length === 1) return { target, visit: true };
  const faults = fieldErrors(BatchUrlSchema, members);
  if (faults.length > 0 || isTargetProblem(target)) return badFields(faults);
  return { target, visit: !('visit' in members) || members.visit !== false };
}
