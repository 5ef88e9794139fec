import { FailureError } from '#src/core/base/failure.ts';
import { type ByteSink, createByteSink } from '../budget/byte-sink.ts';
import type { HopLimits } from './hop.ts';

/** Decodes the framing of a body, chunk by chunk. */
interface BodyFraming {
  /**
   * Passes the bytes of the body to `keep`. Returns `more` if the body continues, `whole` if it is complete, `overrun`
   * if bytes follow the complete body, `broken` if the framing is invalid from here on.
   */
  push(bytes: Uint8Array, keep: (piece: Uint8Array) => void): 'more' | 'whole' | 'overrun' | 'broken';
  /** True if the body is complete if the connection ends now. */
  readonly mayEnd: boolean;
}

/** Statuses without a body (RFC 9110 §6.4.1); 205 as in browsers. */
const BODILESS = new Set([204, 205, 304]);

/**
 * Returns the framing of a response body (RFC 9112 §6.3) as browsers read it: chunked encoding overrides a length, and
 * an invalid length means "until the connection ends". Null if lengths contradict each other, which browsers refuse.
 */
function framingOf({ status, headers, isHttp11 }: ResponseHead): BodyFraming | null {
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

function endBefore(rest: Uint8Array): 'whole' | 'overrun' {
  return rest.length === 0 ? 'whole' : 'overrun';
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
      if (left > 0) return 'more';
      return endBefore(bytes.subarray(piece.length));
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
        if (next === 'whole') return endBefore(bytes.subarray(at));
        part = next;
      }
      return 'more';
    },
  };
}

/** The head of an HTTP/1 response. */
export interface ResponseHead {
  /** Usually three digits; hostile servers may send more. */
  readonly status: number;
  /**
   * By lower-case name. Repeated headers are joined by a comma, except `location`, of which the first is used, and
   * `set-cookie`, which has a line for each.
   */
  readonly headers: ReadonlyMap<string, string>;
  /** True if the version is 1.1 or later; only then may a body be chunked. */
  readonly isHttp11: boolean;
}

/** Number of bytes that browsers skip to find the status line. */
const SLOP_BYTES = 4;
const NUL = 0;
const LF = 10;
const CR = 13;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Returns a function that finds the end of a head that begins at `start`, behind its first empty line, in a growing
 * buffer. A line ends with LF or CRLF. It returns −1 if more bytes are needed, and never scans a byte twice.
 */
function createHeadEnd(start: number): (bytes: Uint8Array) => number {
  let at = start;
  let isLineEmpty = false;
  return (bytes) => {
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === LF) {
        if (isLineEmpty) return at + 1;
        isLineEmpty = true;
      } else if (byte !== CR || bytes[at - 1] !== LF) isLineEmpty = false;
    }
    return -1;
  };
}

/**
 * Returns the offset of the status line: browsers look for `HTTP` in any case in the first few bytes. Null if more
 * bytes are needed; −1 if this is not an HTTP/1 response.
 */
function startOfHead(bytes: Uint8Array): number | null {
  const opening = latin1(bytes.subarray(0, SLOP_BYTES + 4)).toLowerCase();
  const start = opening.indexOf('http');
  if (start !== -1) return start;
  return bytes.length < SLOP_BYTES + 4 ? null : -1;
}

/**
 * Parses a head as leniently as browsers do, because cloaking servers send what only a browser accepts: lines may end
 * with LF alone and be folded, and invalid lines are skipped. Verified against Chromium 156
 * (`test/network/egress/odd-answers.ts`). Null if browsers refuse the head, too.
 *
 * @param bytes from the status line to the empty line.
 */
function readHead(bytes: Uint8Array): ResponseHead | null {
  if (bytes.includes(NUL)) return null;
  const [statusLine = '', ...lines] = linesOf(latin1(bytes));
  // The lookahead prevents backtracking into the text behind the version.
  const [, major = '1', minor = '0', , rest = ''] =
    /^http(?:\/(\d{1,9})\.(\d{1,9}))?(?=(\S*))\3(.*)$/i.exec(statusLine) ?? [];
  const digits = /^ *(\d+)/.exec(rest)?.[1];
  const status = digits === undefined ? 200 : Number(digits);
  if (status < 100 || status > 9999) return null;
  const isHttp11 = Number(major) > 1 || (Number(major) === 1 && Number(minor) > 0);
  return { status, headers: readHeaders(lines), isHttp11 };
}

/** Returns the non-empty lines; a line that begins with a space or a tab continues the one before. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split(/[\r\n]/)) {
    if (line === '') continue;
    const isFolded = line.startsWith(' ') || line.startsWith('\t');
    if (isFolded && lines.length > 1) lines.push(`${lines.pop()} ${withoutBlanks(line)}`);
    else lines.push(line);
  }
  return lines;
}

function readHeaders(lines: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = withoutBlanks(line.slice(0, Math.max(colon, 0))).toLowerCase();
    if (!TOKEN.test(name)) continue;
    const value = withoutBlanks(line.slice(colon + 1));
    const earlier = headers.get(name);
    if (earlier === undefined) headers.set(name, value);
    else if (name !== 'location') headers.set(name, `${earlier}${name === 'set-cookie' ? '\n' : ', '}${value}`);
  }
  return headers;
}

/** Trims spaces and tabs. A regular expression would take quadratic time for some values. */
function withoutBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const isBlank = (code: number) => code === 32 || code === 9;

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** A response before content decoding. */
export interface RawResponse extends ResponseHead {
  readonly body: Uint8Array;
  /** True if the body exceeded the limit, had invalid framing, or was incomplete when the connection ended. */
  readonly truncated: boolean;
  /** True if the answer is complete, no byte that was read follows it, and the server leaves the connection open. */
  readonly isReusable: boolean;
}

/** Incremental reader of one response. */
export interface ResponseReader {
  /**
   * Reads the next chunk; returns true if no more is needed.
   *
   * @throws FailureError `response_malformed`, `response_header_too_large`.
   */
  push(piece: Uint8Array): boolean;
  /** Returns the response; null if the head is incomplete. `isEnd`: the peer closed the connection properly. */
  finish(isEnd: boolean): RawResponse | null;
}

/** Maximum number of informational responses (1xx). */
const MAX_INFORMATIONAL = 8;

export interface ResponseOptions {
  isBodyNeeded(head: ResponseHead): boolean;
  /** True if a response without a head is accepted (HTTP/0.9), as browsers do on the default port of a scheme. */
  readonly allowHttp09: boolean;
}

/** Creates a reader that buffers at most `limits`. */
export function createResponseReader(
  limits: Pick<HopLimits, 'headerBytes' | 'wireBytes' | 'bodyBytes'>,
  { isBodyNeeded, allowHttp09 }: ResponseOptions,
): ResponseReader {
  let heads = createHeadReader(limits.headerBytes, allowHttp09);
  let informational = 0;
  let head: ResponseHead | null = null;
  let body: Body | null = null;

  function push(piece: Uint8Array): boolean {
    if (body) return body.push(piece);
    const read = heads.push(piece);
    if (!read) return false;
    if (read.head.status >= 200) {
      head = read.head;
      body = createBody(head, limits);
      return !isBodyNeeded(head) || body.push(read.rest);
    }
    informational++;
    if (read.head.status === 101) throw malformed('an upgrade that nobody asked for');
    if (informational > MAX_INFORMATIONAL) throw malformed('too many informational answers');
    heads = createHeadReader(limits.headerBytes, false);
    return push(read.rest);
  }

  return {
    push,
    finish(isEnd) {
      if (!head || !body) return null;
      return { ...head, ...(isBodyNeeded(head) ? body.finish(isEnd) : NO_BODY) };
    },
  };
}

const NO_BODY = { body: new Uint8Array(), truncated: false, isReusable: false };

/** The implied head of an HTTP/0.9 response. */
const HTTP_09_HEAD: ResponseHead = { status: 200, headers: new Map(), isHttp11: false };

function createHeadReader(maxBytes: number, mayBeBodyAlone: boolean) {
  const came = createByteSink(maxBytes);
  let findEnd: ReturnType<typeof createHeadEnd> | null = null;
  return {
    /** Returns the head and the bytes behind it; null if more bytes are needed. */
    push(piece: Uint8Array) {
      const before = came.length;
      const hasRoom = came.push(piece);
      const bytes = came.bytes();
      const start = startOfHead(bytes);
      if (start === -1 && !mayBeBodyAlone) throw malformed('no status line');
      if (start === -1) return { head: HTTP_09_HEAD, rest: Buffer.concat([bytes.subarray(0, before), piece]) };
      if (start === null) return null;
      findEnd ??= createHeadEnd(start);
      const end = findEnd(bytes);
      if (end === -1 && !hasRoom) throw new FailureError('response_header_too_large', `over ${maxBytes} bytes`);
      if (end === -1) return null;
      const head = readHead(bytes.subarray(start, end));
      if (!head) throw malformed('a header that no browser takes');
      return { head, rest: piece.subarray(end - before) };
    },
  };
}

interface Body {
  push(piece: Uint8Array): boolean;
  finish(isEnd: boolean): Omit<RawResponse, keyof ResponseHead>;
}

function createBody(head: ResponseHead, { wireBytes, bodyBytes }: Pick<HopLimits, 'wireBytes' | 'bodyBytes'>): Body {
  const framing: BodyFraming | null = framingOf(head);
  if (!framing) throw malformed('lengths that contradict each other');
  const sink: ByteSink = createByteSink(head.headers.has('content-encoding') ? wireBytes : bodyBytes);
  let isFull = false;
  let isWhole = false;
  let isOverrun = false;
  return {
    push(piece) {
      const state = framing.push(piece, (part) => {
        isFull ||= !sink.push(part);
      });
      isOverrun = state === 'overrun';
      isWhole = state === 'whole' || isOverrun;
      // A browser has already shown the bytes before the error.
      if (state === 'broken' && sink.length === 0) throw malformed('chunks that break their framing');
      return state !== 'more' || isFull;
    },
    finish: (isEnd) => ({
      body: sink.bytes(),
      truncated: isFull || !(isWhole || (isEnd && framing.mayEnd)),
      isReusable: !isEnd && isWhole && !isOverrun && !isFull && staysOpen(head),
    }),
  };
}

function staysOpen({ headers, isHttp11 }: ResponseHead): boolean {
  // An answer with both framings may be an attempt to put bytes before the next one (RFC 9112 §6.3).
  const isAmbiguous = headers.has('transfer-encoding') && headers.has('content-length');
  return isHttp11 && !isAmbiguous && !listOf(headers.get('connection')).includes('close');
}

function malformed(detail: string): FailureError {
  return new FailureError('response_malformed', detail);
}
