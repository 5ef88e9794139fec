/**
 * Reads the parameters of an address in place of Elysia's own reader, which keeps the last of two with one name: here
 * both are kept, for a schema to refuse.
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
