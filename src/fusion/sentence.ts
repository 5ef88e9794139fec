/**
 * What an analyzer says as a sentence by itself: with a full stop, and a capital unless it begins with a name such as
 * `example.com` or “paypal”.
 */
export function asSentence(clause: string): string {
  const begun = clause.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}
