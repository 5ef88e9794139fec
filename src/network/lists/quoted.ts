/** The longest text of a list that is shown. */
const MAX_SHOWN = 80;

/** A text of a list as a sentence quotes it. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text);
}
