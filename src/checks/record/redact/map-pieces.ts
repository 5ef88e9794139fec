/** Returns true if a UTF-16 code unit separates pieces. */
export type IsBetween = (code: number) => boolean;

const NO = 1;
const YES = 2;

/** Returns the characters of a pattern as separators; each character is matched once. */
export function separators(pattern: RegExp): IsBetween {
  const known = new Uint8Array(0x10000);
  return (code) => {
    if (known[code] === 0) known[code] = pattern.test(String.fromCharCode(code)) ? YES : NO;
    return known[code] === YES;
  };
}

/** Maps each piece between separators; returns the same text if none changed. */
export function mapPieces(text: string, isBetween: IsBetween, change: (piece: string) => string): string {
  let mapped = '';
  let done = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !isBetween(text.charCodeAt(at))) continue;
    if (at > start) {
      const piece = text.slice(start, at);
      const changed = change(piece);
      if (changed !== piece) {
        mapped += text.slice(done, start) + changed;
        done = at;
      }
    }
    start = at + 1;
  }
  return done === 0 ? text : mapped + text.slice(done);
}
