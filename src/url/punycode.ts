const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_N = 128;

/** Decodes what follows `xn--` in a label (RFC 3492 §6.2); null where it is not valid Punycode. */
export function decodePunycode(encoded: string): string | null {
  const delimiter = encoded.lastIndexOf('-');
  const output = delimiter > 0 ? [...encoded.slice(0, delimiter)].map((character) => character.charCodeAt(0)) : [];
  let position = delimiter > 0 ? delimiter + 1 : 0;
  let codePoint = INITIAL_N;
  let bias = INITIAL_BIAS;
  for (let i = 0; position < encoded.length; i++) {
    const start = i;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitOf(encoded.charCodeAt(position++));
      if (digit < 0) return null;
      i += digit * weight;
      if (i > 0x7fffffff) return null;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adapt(i - start, length, start === 0);
    codePoint += Math.floor(i / length);
    i %= length;
    if (codePoint > 0x10ffff) return null;
    output.splice(i, 0, codePoint);
  }
  return String.fromCodePoint(...output);
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

/** The value of a digit's character code; NaN, of a text that has ended, is none. */
function digitOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  return -1;
}
