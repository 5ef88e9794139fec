import { refang } from '#src/core/url/defang.ts';
import { readUrl } from '#src/core/url/read-url.ts';

/** A text as a URL that the service accepts, undone and completed where it was written for people; null where it is none. */
export function asUrl(text: string): string | null {
  const { url } = refang(text);
  return /^https?:/i.test(url) && !/\s/.test(url) && readUrl(url) !== null ? url : null;
}

/**
 * Whether a text without a scheme is a mail address, or several, and no link. With a password before the `@`, or a path
 * behind it, it is the trick that hides a host behind a name.
 */
export function isMailAddress(text: string): boolean {
  const [before = '', behind] = text.replace(/^mailto:/i, '').split('@', 2);
  return behind !== undefined && !before.includes(':') && !/[/?#]/.test(text);
}
