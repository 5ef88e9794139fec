import type { Problem } from './problem.ts';

/** Part of a URL before the path; absent if the request has no usable host. */
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** The path of a request, as it was sent. */
export function pathOf(request: Request): string {
  return /^[^?#]*/.exec(request.url.replace(AUTHORITY, ''))?.[0] ?? '';
}

/**
 * Returns the address of the page without its trailing slash, relative to the one with it; null if there is no slash.
 * The router treats both alike, but relative links on the page differ.
 */
export function withoutSlash(request: Request): string | null {
  const [, name] = /(?<![^/])([^/]+)\/$/.exec(pathOf(request)) ?? [];
  return name === undefined ? null : `../${name}`;
}

/** There is nothing at a path. */
export const NOT_FOUND: Problem = {
  code: 'not_found',
  detail: 'There is nothing at this path; /swagger lists what there is.',
};

/** Answer to a request without a route: a refusal, or the methods of its path. */
export type Unrouted = Problem | { readonly allow: string };

/** Answers unmatched requests: 405 if the path has routes for other methods, their methods for OPTIONS, else 404. */
export function createUnrouted(
  routes: readonly { readonly method: string; readonly path: string }[],
): (request: Request) => Unrouted {
  const allowed = new Map<string, string>();
  for (const [path, own] of Map.groupBy(routes, (route) => route.path)) {
    const methods = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    allowed.set(path, [...methods, 'OPTIONS'].join(', '));
  }
  const withNames = [...allowed].filter(([path]) => path.includes('/:'));
  const allowedAt = (path: string) =>
    allowed.get(path) ?? withNames.find(([pattern]) => isLike(path.split('/'), pattern.split('/')))?.[1];
  return (request) => {
    const allow = allowedAt(pathOf(request));
    if (allow === undefined) return NOT_FOUND;
    if (request.method === 'OPTIONS') return { allow };
    return { code: 'method_not_allowed', detail: `The methods here are ${allow}.`, headers: { allow } };
  };
}

/**
 * Returns true if a path matches the path of a route with parameters, such as `/help/:part`; both are split into
 * segments.
 */
function isLike(path: readonly string[], pattern: readonly string[]): boolean {
  return path.length === pattern.length && pattern.every((piece, at) => piece.startsWith(':') || piece === path[at]);
}
