import { FailureError } from '#src/core/base/failure.ts';
import { type ByteSink, createByteSink } from '../budget/byte-sink.ts';
import { type BodyFraming, framingOf } from './body-framing.ts';
import type { HopLimits } from './hop.ts';
import { createHeadEnd, type ResponseHead, readHead, startOfHead } from './response-head.ts';

/** A response as it came, its content coding still on. */
export interface RawResponse extends ResponseHead {
  readonly body: Uint8Array;
  /** True where the body was longer than the limit, broke its framing, or was not whole when the connection ended. */
  readonly truncated: boolean;
}

/** Reads one response out of bytes that come piece by piece, in whatever pieces. */
export interface ResponseReader {
  /**
   * Takes the next piece; true where no more is needed.
   *
   * @throws FailureError `response_malformed`, `response_header_too_large`.
   */
  push(piece: Uint8Array): boolean;
  /** What has been read; `isEnd` says that the peer ended the connection in order. Null where the head is not whole. */
  finish(isEnd: boolean): RawResponse | null;
}

/** Informational answers (1xx) before the real one. */
const MAX_INFORMATIONAL = 8;

/** What is asked of a response. */
export interface Wanted {
  isBodyNeeded(head: ResponseHead): boolean;
  /** Whether an answer that is a body alone is taken, as HTTP/0.9 had it: browsers do at the port that a scheme has. */
  readonly mayBeBodyAlone: boolean;
}

/** A reader that keeps no more than `limits` say, and no more than is wanted. */
export function createResponseReader(
  limits: Pick<HopLimits, 'headerBytes' | 'wireBytes' | 'bodyBytes'>,
  { isBodyNeeded, mayBeBodyAlone }: Wanted,
): ResponseReader {
  let heads = createHeadReader(limits.headerBytes, mayBeBodyAlone);
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
      return { ...head, ...(isBodyNeeded(head) ? body.finish(isEnd) : { body: new Uint8Array(), truncated: false }) };
    },
  };
}

/** What an answer without a head is taken for. */
const NO_HEAD: ResponseHead = { status: 200, headers: new Map(), isHttp11: false };

interface HeadReader {
  /** The head, and what came behind it; null where more must come. */
  push(piece: Uint8Array): { readonly head: ResponseHead; readonly rest: Uint8Array } | null;
}

function createHeadReader(maxBytes: number, mayBeBodyAlone: boolean): HeadReader {
  const came = createByteSink(maxBytes);
  let findEnd: ReturnType<typeof createHeadEnd> | null = null;
  return {
    push(piece) {
      const before = came.length;
      const hasRoom = came.push(piece);
      const bytes = came.bytes();
      const start = startOfHead(bytes);
      if (start === -1 && !mayBeBodyAlone) throw malformed('no status line');
      if (start === -1) return { head: NO_HEAD, rest: Buffer.concat([bytes.subarray(0, before), piece]) };
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
  finish(isEnd: boolean): Pick<RawResponse, 'body' | 'truncated'>;
}

function createBody(head: ResponseHead, { wireBytes, bodyBytes }: Pick<HopLimits, 'wireBytes' | 'bodyBytes'>): Body {
  const framing: BodyFraming | null = framingOf(head);
  if (!framing) throw malformed('lengths that contradict each other');
  const sink: ByteSink = createByteSink(head.headers.has('content-encoding') ? wireBytes : bodyBytes);
  let isFull = false;
  let isWhole = false;
  return {
    push(piece) {
      const state = framing.push(piece, (part) => {
        isFull ||= !sink.push(part);
      });
      isWhole = state === 'whole';
      // A browser has shown by then what came before.
      if (state === 'broken' && sink.length === 0) throw malformed('chunks that break their framing');
      return state !== 'more' || isFull;
    },
    finish: (isEnd) => ({
      body: sink.bytes(),
      truncated: isFull || !(isWhole || (isEnd && framing.mayEnd)),
    }),
  };
}

function malformed(detail: string): FailureError {
  return new FailureError('response_malformed', detail);
}
