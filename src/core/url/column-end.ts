/** A closing quote, or a separator, with another column behind it. */
const END =
  /["'](?=$|[\s,;|])|[,;|](?=$|\s|["']|https?:)|(?<=\/\/[^/?#,;|]{1,255}|\/|\.[a-z]{2,5})[,;|](?=\p{L}[\p{L}\p{N}_-]{0,60}(?:$|[\s,;|]))/iu;

/**
 * Returns the position at which a URL ends if it is the column of a table: at a closing quote, and at a comma, semicolon
 * or bar with another column behind it, which is a quote, a URL, or a word, if the URL before it ends with a host, a
 * slash or an extension. Other commas and semicolons are part of it, as in `/a,b` and `;jsessionid=1`. The length of the
 * text if it is a URL alone.
 */
export function columnEnd(text: string): number {
  const end = text.search(END);
  return end === -1 ? text.length : end;
}
