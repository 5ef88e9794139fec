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
