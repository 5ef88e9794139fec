import type { ResponseHead } from './response-head.ts';

/** Decodes the framing of a body, chunk by chunk. */
export interface BodyFraming {
  /**
   * Passes the bytes of the body to `keep`. Returns `more` if the body continues, `whole` if it is complete, `broken`
   * if the framing is invalid from here on.
   */
  push(bytes: Uint8Array, keep: (piece: Uint8Array) => void): 'more' | 'whole' | 'broken';
  /** True if the body is complete if the connection ends now. */
  readonly mayEnd: boolean;
}

/** Statuses without a body (RFC 9110 §6.4.1); 205 as in browsers. */
const BODILESS = new Set([204, 205, 304]);

/**
 * Returns the framing of a response body (RFC 9112 §6.3) as browsers read it: chunked encoding overrides a length, and
 * an invalid length means "until the connection ends". Null if lengths contradict each other, which browsers refuse.
 */
export function framingOf({ status, headers, isHttp11 }: ResponseHead): BodyFraming | null {
  if (BODILESS.has(status)) return ofLength(0);
  const codings = listOf(headers.get('transfer-encoding'));
  if (isHttp11 && codings.includes('chunked')) return ofChunks();
  const lengths = new Set(listOf(headers.get('content-length')));
  if (lengths.size > 1) return null;
  const [length] = lengths;
  return length !== undefined && /^\d{1,15}$/.test(length) ? ofLength(Number(length)) : untilEnd();
}

function listOf(value: string | undefined): string[] {
  return (value ?? '')
    .toLowerCase()
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function untilEnd(): BodyFraming {
  return {
    push(bytes, keep) {
      keep(bytes);
      return 'more';
    },
    mayEnd: true,
  };
}

function ofLength(length: number): BodyFraming {
  let left = length;
  return {
    push(bytes, keep) {
      const piece = bytes.subarray(0, left);
      left -= piece.length;
      keep(piece);
      return left === 0 ? 'whole' : 'more';
    },
    get mayEnd() {
      return left === 0;
    },
  };
}

/** Maximum length of a chunk-size or trailer line, as in Chromium. */
const MAX_LINE_BYTES = 16_384;
/** Maximum number of trailer lines. */
const MAX_TRAILERS = 1000;
const LF = 10;

/** Chunked encoding (RFC 9112 §7.1). A line may end with LF alone, and spaces may follow a size. */
function ofChunks(): BodyFraming {
  let part: 'size' | 'data' | 'end of data' | 'trailers' = 'size';
  let left = 0;
  let line = '';
  let trailers = 0;

  /** Returns the state after a complete line; null if the line is invalid. */
  function afterLine(text: string): typeof part | 'whole' | null {
    if (part === 'end of data') return text === '' ? 'size' : null;
    if (part === 'trailers') return text === '' ? 'whole' : ++trailers < MAX_TRAILERS ? 'trailers' : null;
    const [, digits] = /^0*([0-9a-f]{1,12}) *(?:;.*)?$/i.exec(text) ?? [];
    if (digits === undefined) return null;
    left = Number.parseInt(digits, 16);
    return left === 0 ? 'trailers' : 'data';
  }

  return {
    mayEnd: false,
    push(bytes, keep) {
      for (let at = 0; at < bytes.length; ) {
        if (part === 'data') {
          const piece = bytes.subarray(at, at + left);
          keep(piece);
          at += piece.length;
          left -= piece.length;
          if (left === 0) part = 'end of data';
          continue;
        }
        const end = bytes.indexOf(LF, at);
        const piece = bytes.subarray(at, end === -1 ? bytes.length : end);
        if (line.length + piece.length > MAX_LINE_BYTES) return 'broken';
        line += Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
        if (end === -1) return 'more';
        at = end + 1;
        const next = afterLine(line.replace(/\r$/, ''));
        line = '';
        if (next === null) return 'broken';
        if (next === 'whole') return 'whole';
        part = next;
      }
      return 'more';
    },
  };
}
