/** Maximum length of a line of a list; no URL that is checked is as long. */
export const MAX_LIST_LINE_BYTES = 64 * 1024;

/** Returns why a line cannot be parsed, as a sentence without its subject; null if it can. */
export function listLineProblem(text: string | null): string | null {
  if (text === null) return `is longer than ${MAX_LIST_LINE_BYTES / 1024} KiB`;
  if (text.includes('\0')) return 'contains a NUL';
  return text.includes('\ufffd') ? 'is not UTF-8' : null;
}
