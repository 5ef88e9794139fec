/** The longest text of a stranger in a record, in UTF-16 code units (`src/service/server/INTERFACE.md`). */
export const MAX_TEXT_LENGTH = 512;

/** The longest that is carried to an analyzer and to a record: long enough that the record can tell what it cut. */
export const MAX_CARRIED_LENGTH = 2 * MAX_TEXT_LENGTH;

/** How much of a word that would be cut through is rather left out. */
const MAX_WORD_LENGTH = 128;

/** The longest user name that may stand before a host, so that a cut never hides the host. */
const MAX_USER_LENGTH = 64;

const USER = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\\]*)@/i;

/**
 * A text, or the beginning of one that is too long. It is cut between words, so that no half of an address or a token is
 * left that nobody would know for one; in a URL, behind the host.
 */
export function cutShort(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const whole = text.replace(USER, (start, scheme: string, user: string) =>
    user.length > MAX_USER_LENGTH ? `${scheme}${cutShort(user, MAX_USER_LENGTH)}@` : start,
  );
  if (whole.length <= maxLength) return whole;
  return whole.slice(0, wordEnd(whole, maxLength)).replace(BROKEN_END, '');
}

/** Half of a character, or of an escape. */
const BROKEN_END = /(?:[\ud800-\udbff]|%[0-9a-f]?)$/i;
/** The last place between words. */
const WORD_END = /^.*(?=[\s/?&;#,"'<>])/s;

function wordEnd(text: string, maxLength: number): number {
  const from = Math.max(0, maxLength - MAX_WORD_LENGTH);
  const kept = WORD_END.exec(text.slice(from, maxLength + 1))?.[0].length;
  return kept === undefined ? maxLength : from + kept;
}
