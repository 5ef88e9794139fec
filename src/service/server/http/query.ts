/**
 * Reads the parameters of an address in place of Elysia's own reader, which keeps the last of two with one name: here
 * both are kept, for a schema to refuse.
 */
export function readQuery(context: { readonly request: Request; query: object }): void {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(searchOf(context.request.url))) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  context.query = query;
}

/** The query of an address without its question mark; empty where there is none. */
function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
