const END_MARKS = '.!?…';

/**
 * What an analyzer says as a sentence by itself: with a full stop, and a capital unless it begins with a name such as
 * `example.com` or “paypal”.
 */
export function asSentence(clause: string): string {
  const begun = beginsWithWord(clause) ? clause.charAt(0).toUpperCase() + clause.slice(1) : clause;
  return begun !== '' && END_MARKS.includes(begun.charAt(begun.length - 1)) ? begun : `${begun}.`;
}

/** Whether nothing but small letters stands before the first space. */
function beginsWithWord(clause: string): boolean {
  for (let i = 0; i < clause.length; i++) {
    const code = clause.charCodeAt(i);
    if (code === SPACE) return i > 0;
    if (code < SMALL_A || code > SMALL_Z) return false;
  }
  return false;
}

const SPACE = 0x20;
const SMALL_A = 0x61;
const SMALL_Z = 0x7a;
