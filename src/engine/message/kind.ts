/** Returns true for markup: an element with a target, or the beginning of a page. */
export function looksLikeHtml(text: string): boolean {
  return /^\s{0,1000}<(?:!doctype html|html|head|body)\b|<(?:a|area|form)\s[^<>]{0,2000}?(?:href|action)\s*=/i.test(
    text,
  );
}

/** Returns true if a text begins with the header of a mail, as programs show its source. */
export function looksLikeMail(text: string): boolean {
  const [header = ''] = text
    .slice(0, 200_000)
    .trimStart()
    .split(/\r?\n\r?\n/, 1);
  const lines = header.split(/\r?\n/);
  return (
    lines.every((line) => /^(?:[\w-]{1,60}:|[ \t]|From )/.test(line)) &&
    lines.some((line) => /^(?:mime-version|received|message-id|content-type|return-path):/i.test(line))
  );
}
