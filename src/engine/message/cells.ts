/** The cells of a table as programs export it (RFC 4180), with commas, semicolons or tabs between them. */
export function cellsOf(text: string): string[] {
  const separator = [...',;\t'].toSorted((a, b) => count(text, b) - count(text, a))[0] ?? ',';
  const cells: string[] = [];
  const cell = new RegExp(`"((?:[^"]|"")*)"?|([^${separator}\\r\\n]+)`, 'y');
  for (let at = 0; at < text.length; ) {
    cell.lastIndex = at;
    const [whole = '', quoted, plain] = cell.exec(text) ?? [];
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    at += Math.max(whole.length, 1);
  }
  return cells.filter((one) => one !== '');
}

/** In the first line, which has as many as any other. */
function count(text: string, character: string): number {
  return text.slice(0, 10_000).split('\n', 1)[0]?.split(character).length ?? 0;
}
