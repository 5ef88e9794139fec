const BEGINS_WITH_WORD = /^[a-z]+ /;
const END_MARKS = '.!?…';

/**
 * What an analyzer says as a sentence by itself: with a full stop, and a capital unless it begins with a name such as
 * `example.com` or “paypal”.
 */
export function asSentence(clause: string): string {
  const begun = BEGINS_WITH_WORD.test(clause) ? clause.charAt(0).toUpperCase() + clause.slice(1) : clause;
  return begun !== '' && END_MARKS.includes(begun.charAt(begun.length - 1)) ? begun : `${begun}.`;
}
