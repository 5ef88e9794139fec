import { linesOf } from './text/lines.ts';

/** Returns true for a text that holds markup: an element with a target, or the beginning of a page. */
export function looksLikeHtml(text: string): boolean {
  return /^\s{0,1000}<(?:!doctype html|html|head|body)\b|<(?:a|area|form)\s[^<>]{0,2000}?(?:href|action)\s*=/i.test(
    text,
  );
}

/**
 * Returns true for a text that is a page or a part of one, and not a note with a snippet: it begins like a page, or has
 * more tags than lines without any.
 */
export function isMarkup(text: string): boolean {
  if (/^\s{0,1000}<(?:!doctype|!--|\?xml|html|head|body|svg)\b/i.test(text)) return true;
  let tags = 0;
  for (const _ of text.matchAll(TAG)) tags++;
  for (const line of linesOf(text)) if (/[\p{L}\p{N}]/u.test(line) && !line.includes('<')) tags--;
  return tags > 0 && looksLikeHtml(text);
}

/** A tag, other than an address in angle brackets. */
const TAG = /<\/?[a-z][a-z\d]{0,20}(?:[\s/][^<>]{0,2000})?>/gi;

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
