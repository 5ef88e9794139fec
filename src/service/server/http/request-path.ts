/** What stands before the path in a request's address; nothing where the request named no usable host. */
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** The path of a request, as it was sent. */
export function pathOf(request: Request): string {
  return /^[^?#]*/.exec(request.url.replace(AUTHORITY, ''))?.[0] ?? '';
}

/**
 * The address of the same page without the slash behind it, relative to the one with it; null where there is none. The router
 * sees no difference, but relative addresses on the page do.
 */
export function withoutSlash(request: Request): string | null {
  const [, name] = /(?<![^/])([^/]+)\/$/.exec(pathOf(request)) ?? [];
  return name === undefined ? null : `../${name}`;
}
