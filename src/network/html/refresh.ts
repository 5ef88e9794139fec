/** A parsed `meta` refresh. */
export interface RefreshOrder {
  readonly delaySeconds: number;
  /** As written; empty if the page reloads itself. */
  readonly target: string;
}

/**
 * Reads the `content` of a `meta` refresh as the HTML standard does ("shared declarative refresh steps"); null:
 * ignored.
 */
export function parseRefresh(content: string): RefreshOrder | null {
  const time = /^[\t\n\f\r ]*(\d{0,15})(?:\.[\d.]*)?/.exec(content);
  if (!time || time[0].trim() === '') return null;
  const delaySeconds = Number(time[1] || 0);
  const rest = content.slice(time[0].length);
  if (rest === '') return { delaySeconds, target: '' };
  const separator = /^(?:[\t\n\f\r ]*[;,][\t\n\f\r ]*|[\t\n\f\r ]+)/.exec(rest);
  if (!separator) return null;
  return { delaySeconds, target: unquote(rest.slice(separator[0].length)) };
}

function unquote(text: string): string {
  const value = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i.exec(text);
  const target = value ? text.slice(value[0].length) : text;
  const quote = target.charAt(0);
  if (quote !== '"' && quote !== "'") return target.trim();
  return (target.slice(1).split(quote, 1)[0] ?? '').trim();
}
