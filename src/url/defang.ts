/** A URL that no program makes into a link: `hxxps://example[.]com/`. */
export function defang(url: string): string {
  return url
    .replace(/^http/i, 'hxxp')
    .replace(
      /^([a-z]+:\/\/)?([^/?#]*)/i,
      (_, scheme = '', authority: string) => scheme + authority.replaceAll('.', '[.]'),
    );
}

/** Undoes the usual ways of defanging; other text stays as it is. */
export function refang(text: string): string {
  return text
    .replace(/^h(?:xx|XX|\*\*|tt)p(s?)(?::|\[:\])(?:\/\/|\[\/\/\])/i, 'http$1://')
    .replace(/\[\.\]|\(\.\)|\[dot\]|\(dot\)/gi, '.')
    .replace(/\[:\]/g, ':');
}
