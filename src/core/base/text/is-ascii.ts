const ASCII = /^[\0-\x7f]*$/;

/** Returns true if a text has ASCII characters alone. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}
