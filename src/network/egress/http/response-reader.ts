import { FailureError } from '#src/core/base/failure.ts';
import { type ByteSink, createByteSink } from '../budget/byte-sink.ts';
import type { HopLimits } from './hop.ts';
import {
  type BodyFraming,
  createHeadEnd,
  framingOf,
  type ResponseHead,
  readHead,
  startOfHead,
} from './response-head.ts';

/** A response before content decoding. */
export interface RawResponse extends ResponseHead {
  readonly body: Uint8Array;
  /** True if the body exceeded the limit, had invalid framing, or was incomplete when the connection ended. */
  readonly truncated: boolean;
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
      return { ...head, ...(isBodyNeeded(head) ? body.finish(isEnd) : { body: new Uint8Array(), truncated: false }) };
    },
  };
}

/** The implied head of an HTTP/0.9 response. */
const HTTP_09_HEAD: ResponseHead = { status: 200, headers: new Map(), isHttp11: false };

interface HeadReader {
  /** Returns the head and the bytes behind it; null if more bytes are needed. */
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
      // A browser has already shown the bytes before the error.
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
