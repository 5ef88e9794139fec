/** What stands before the path in a request's address; nothing where the request named no usable host. */
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** The path of a request, as it was sent. */
export function pathOf(request: Request): string {
  return /^[^?#]*/.exec(request.url.replace(AUTHORITY, ''))?.[0] ?? '';
}
