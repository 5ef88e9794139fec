/** Returns the cells of a table (RFC 4180) with commas, semicolons or tabs as separators. */
export function cellsOf(text: string): string[] {
  const separator = [...',;\t'].reduce((best, one) => (count(text, one) > count(text, best) ? one : best));
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

/** Counts in the first line. */
function count(text: string, character: string): number {
  return text.slice(0, 10_000).split('\n', 1)[0]?.split(character).length ?? 0;
}
