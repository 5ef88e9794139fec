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
