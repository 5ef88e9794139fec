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

/** Routes for holders of keys alone: who shows none must not learn which parameters there are. */
const KEYED = /^\/api\/(?:admin\/|session$|history\/private$)/;

/** Unknown parameters that one refusal names at most. */
const MAX_NAMED = 4;

/**
 * Makes the hook that refuses query parameters which a route of the API does not declare, so that a misspelt filter is
 * never taken for none.
 *
 * @param isAfterKeys makes the one for routes that need a key, which runs after the key was examined
 */
export function createParameterGuard(routes: () => readonly ListedRoute[], isAfterKeys = false) {
  let known: ReadonlyMap<string, ReadonlySet<string>> | null = null;
  function unknownIn(search: string, route: string): string[] {
    known ??= new Map(routes().map((one) => [`${one.method} ${one.path}`, namesIn(one.hooks)]));
    const names = known.get(route);
    return [...new Set(new URLSearchParams(search).keys())].filter((name) => !names?.has(name));
  }
  // A declaration without an arrow: from the text of a hook that returns what it calls, Elysia takes it for asynchronous.
  function refuseUnknown({ request, route }: { readonly request: Request; readonly route: string }): void {
    const start = request.url.indexOf('?');
    const path = start === -1 ? null : API.exec(route)?.[0];
    if (!path || KEYED.test(path) !== isAfterKeys) return;
    const unknown = unknownIn(request.url.slice(start + 1), `${request.method} ${path}`);
    if (unknown.length > 0) throw new ProblemError(badFields(unknown.slice(0, MAX_NAMED).map(unknownParameter)));
  }
  return refuseUnknown;
}

function namesIn(hooks: unknown): ReadonlySet<string> {
  const { query } = hooks as { readonly query?: { readonly properties?: object } };
  return new Set(Object.keys(query?.properties ?? {}));
}

function unknownParameter(name: string) {
  return { field: shorten(name), code: 'invalid_parameter', message: 'is not a parameter of this operation' } as const;
}
