import type { AnyElysia } from 'elysia';
import { shorten } from './field-errors.ts';
import { badFields, ProblemError } from './problem.ts';
import { routesWith } from './routes-with.ts';

/** The routes of the API below any base path. The page is sent `utm_…` and the like, and takes no notice of them. */
const API = /\/api\/.*/;

/** Routes for holders of keys alone: who shows none must not learn which parameters there are. */
const KEYED = /^\/api\/(?:admin\/|session$|history\/private$)/;

/** Unknown parameters that one refusal names at most. */
const MAX_NAMED = 4;

/**
 * Makes routes of the API refuse query parameters that they do not declare, so that a misspelt filter is never taken for
 * none. Routes that need a key do so after the key was examined.
 */
export function withKnownParameters(routes: AnyElysia) {
  return routesWith<unknown>()
    .onTransform(createGuard(routes, false))
    .onBeforeHandle(createGuard(routes, true))
    .use(routes);
}

function createGuard({ routes }: Pick<AnyElysia, 'routes'>, isAfterKeys: boolean) {
  let known: ReadonlyMap<string, ReadonlySet<string>> | null = null;
  function unknownIn(search: string, route: string): string[] {
    known ??= new Map(routes.map((one) => [`${one.method} ${one.path}`, namesIn(one.hooks)]));
    const names = known.get(route);
    return [...new Set(new URLSearchParams(search).keys())].filter((name) => !names?.has(name));
  }
  // A declaration without an arrow: from the text of a hook that returns what it calls, Elysia takes it for asynchronous.
  function refuseUnknown({ request, route }: { readonly request: Request; readonly route: string }): void {
    const start = request.url.indexOf('?');
    const path = start === -1 ? null : API.exec(route)?.[0];
    if (!path || KEYED.test(path) !== isAfterKeys) return;
    const unknown = unknownIn(
      request.url.slice(start + 1),
      `${request.method === 'HEAD' ? 'GET' : request.method} ${path}`,
    );
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

/**
 * Reads the parameters of an address instead of Elysia's own reader, which uses the last of two with one name: here
 * both are returned, and a schema refuses them.
 */
export function readQuery(context: { readonly request: Request; query: object }): void {
  const start = context.request.url.indexOf('?');
  if (start === -1) return;
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(context.request.url.slice(start + 1))) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  context.query = query;
}
