/** Names of mailboxes from which programs write for an honest sender, with numbers of their own. */
const OF_PROGRAMS =
  /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|reply|bounces?|notif|notification|news|updates?|info|mail|msg|postmaster)/;

/** Shortest name that can look random. */
const MIN_LENGTH = 8;

/** Digits from which on a name without them is not one that people choose. */
const MANY_DIGITS = 5;

/**
 * Returns true if the local part of an address looks as if a program had made it: letters and digits in turns, many digits
 * behind a name, or letters that no language has beside each other.
 *
 * @param isFreemail true if all good names are taken at the service, so that people add digits
 */
export function isRandomName(local: string, isFreemail: boolean): boolean {
  const name = local.split('+', 1)[0] ?? '';
  if (name.length < MIN_LENGTH || name.length > 64 || OF_PROGRAMS.test(name)) return false;
  const letters = name.replace(/[^a-z]+/g, '');
  const digits = name.replace(/\D+/g, '').length;
  const turns = name.match(/[a-z](?=\d)|\d(?=[a-z])/g)?.length ?? 0;
  if (turns >= 3 && digits >= 3) return true;
  if (!isFreemail && digits >= MANY_DIGITS && letters.length >= 3) return true;
  return /[bcdfghjklmnpqrstvwxz]{6}/.test(letters) && !/(?:sch|tsch|ngst|chts)/.test(letters);
}
