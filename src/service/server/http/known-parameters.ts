import { badFields, ProblemError } from './problem.ts';
import { shorten } from './strict-json.ts';

/** A route as Elysia lists it. */
export interface ListedRoute {
  readonly method: string;
  readonly path: string;
  readonly hooks: unknown;
}

/** The routes of the API below any base path. The page is sent `utm_…` and the like, and takes no notice of them. */
const API = /\/api\/.*/;

/** Unknown parameters that one refusal names at most. */
const MAX_NAMED = 4;

/**
 * Makes the hook that refuses query parameters which a route of the API does not declare, so that a misspelt filter is
 * never taken for none.
 *
 * @param routes is read on the first request with a query, when all routes are known
 */
export function createParameterGuard(routes: () => readonly ListedRoute[]) {
  let known: ReadonlyMap<string, ReadonlySet<string>> | null = null;
  return ({ request, route }: { readonly request: Request; readonly route: string }): void => {
    const start = request.url.indexOf('?');
    const path = start === -1 ? null : API.exec(route)?.[0];
    if (!path) return;
    known ??= new Map(routes().map((one) => [`${one.method} ${one.path}`, namesIn(one.hooks)]));
    const names = known.get(`${request.method} ${path}`);
    const sent = new Set(new URLSearchParams(request.url.slice(start + 1)).keys());
    const unknown = [...sent].filter((name) => !names?.has(name)).slice(0, MAX_NAMED);
    if (unknown.length > 0) throw new ProblemError(badFields(unknown.map(unknownParameter)));
  };
}

function namesIn(hooks: unknown): ReadonlySet<string> {
  const { query } = hooks as { readonly query?: { readonly properties?: object } };
  return new Set(Object.keys(query?.properties ?? {}));
}

function unknownParameter(name: string) {
  return { field: shorten(name), code: 'invalid_parameter', message: 'is not a parameter of this operation' } as const;
}
