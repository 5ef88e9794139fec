// Control characters, and the invisible ones that turn the direction of text or join it (Unicode categories Cc and Cf).
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text from elsewhere as a terminal may show it: what could move the cursor or hide text is shown as its code point. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`);
}
