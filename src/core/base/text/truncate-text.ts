/** Maximum length of an untrusted text in a record, in UTF-16 code units (`src/service/server/INTERFACE.md`). */
export const MAX_TEXT_LENGTH = 512;

/** Maximum length of a captured text: long enough that the record can detect that it cut the text. */
export const MAX_CAPTURED_LENGTH = 2 * MAX_TEXT_LENGTH;

/** Maximum length of a partial word that is dropped at the cut. */
const MAX_WORD_LENGTH = 128;

/** Maximum length of a user name before a host, so that a cut never hides the host. */
const MAX_USER_LENGTH = 64;

const USER = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)@/i;

/**
 * Truncates a text that is too long. It cuts between words, so that no unrecognizable part of an address or a token is
 * left; in a URL, behind the host.
 */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const whole = text.replace(USER, (start, scheme: string, user: string) =>
    user.length > MAX_USER_LENGTH ? `${scheme}${truncateText(user, MAX_USER_LENGTH)}@` : start,
  );
  if (whole.length <= maxLength) return whole;
  return whole.slice(0, wordEnd(whole, maxLength)).replace(BROKEN_END, '');
}

/** An incomplete character or escape. */
const BROKEN_END = /(?:[\ud800-\udbff]|%[0-9a-f]?)$/i;
/** The last place between words. */
const WORD_END = /^.*(?=[\s/?&;#,"'<>])/s;

function wordEnd(text: string, maxLength: number): number {
  const from = Math.max(0, maxLength - MAX_WORD_LENGTH);
  const retained = WORD_END.exec(text.slice(from, maxLength + 1))?.[0].length;
  return retained === undefined ? maxLength : from + retained;
}
