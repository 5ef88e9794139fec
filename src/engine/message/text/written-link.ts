import { refang } from '#src/core/url/defang.ts';
import { readUrl } from '#src/core/url/read-url.ts';

/** Returns a text as a URL that the service accepts, refanged and completed; null if it is not a URL. */
export function asUrl(text: string): string | null {
  const { url } = refang(text);
  return /^https?:/i.test(url) && !/\s/.test(url) && readUrl(url) !== null ? url : null;
}

/**
 * Returns true for one or several mail addresses without a scheme. False with a host and a password
 * before the `@`, or a path after it: the trick that hides a host behind a name.
 */
export function isMailAddress(text: string): boolean {
  const [before = '', behind] = text.replace(/^mailto:/i, '').split('@', 2);
  const dot = before.indexOf('.');
  const isHostAndPassword = dot !== -1 && before.indexOf(':', dot) !== -1;
  return behind !== undefined && !isHostAndPassword && !/[/?#]/.test(text);
}
