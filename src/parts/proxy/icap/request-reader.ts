import { createByteQueue } from '#src/core/base/byte-queue.ts';
import { BLANK_LINE, type ChunkReader, createChunkReader, LINE_END } from './chunk-reader.ts';
import { type IcapError, MAX_HEAD, type ReqmodHead, readIcapHead } from './icap-head.ts';

/** A parsed part of the client's input. An error is the last event. */
export type IcapEvent =
  | { readonly kind: 'options'; readonly closes: boolean }
  /** `http` is the head inside, with its final blank line. */
  | { readonly kind: 'request'; readonly head: ReqmodHead; readonly http: Buffer }
  /** A piece of a body in its chunked form, to be echoed or dropped. */
  | { readonly kind: 'body'; readonly bytes: Buffer }
  /** The end of a request, after its body or preview. */
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly status: IcapError };

/** Parses a connection's bytes. Buffers at most one head and unread input. */
export interface RequestReader {
  push(bytes: Uint8Array): void;
  /** Returns the next event; null if it takes more bytes. */
  next(): IcapEvent | null;
  /** True between requests, with nothing of the next one received. */
  readonly isIdle: boolean;
}

type State =
  | { readonly at: 'head' }
  | { readonly at: 'http'; readonly head: ReqmodHead }
  | { readonly at: 'body'; readonly chunks: ChunkReader }
  | { readonly at: 'end' }
  | { readonly at: 'failed' };

/** Creates a reader for one connection. It opens no socket and never throws. */
export function createRequestReader(): RequestReader {
  const queue = createByteQueue();
  let state: State = { at: 'head' };

  const fail = (status: IcapError = '400 Bad Request'): IcapEvent => {
    state = { at: 'failed' };
    queue.skip(queue.length);
    return { kind: 'error', status };
  };
  const end = (): IcapEvent => {
    state = { at: 'head' };
    return { kind: 'end' };
  };

  function readHead(): IcapEvent | null {
    // Some clients end a request with an extra line end (RFC 9112 §2.2).
    while (queue.peek(LINE_END.length).equals(LINE_END)) queue.skip(LINE_END.length);
    const text = queue.readUntil(BLANK_LINE, MAX_HEAD);
    if (text === null) return null;
    if (text === 'too_long') return fail();
    const head = readIcapHead(text.toString('latin1'));
    if (typeof head === 'string') return fail(head);
    if (head.method === 'OPTIONS') return { kind: 'options', closes: head.closes };
    state = { at: 'http', head };
    return readHttp(head);
  }

  function readHttp(head: ReqmodHead): IcapEvent | null {
    if (queue.length < head.httpLength) return null;
    const http = Buffer.from(queue.peek(head.httpLength));
    // The offset must be that of the body: right behind the first blank line.
    if (http.length < BLANK_LINE.length || http.indexOf(BLANK_LINE) !== http.length - BLANK_LINE.length) return fail();
    queue.skip(http.length);
    state = head.hasBody ? { at: 'body', chunks: createChunkReader(queue) } : { at: 'end' };
    return { kind: 'request', head, http };
  }

  function readBody(chunks: ChunkReader): IcapEvent | null {
    const piece = chunks.next();
    if (piece === null) return null;
    if (piece === 'malformed') return fail();
    return piece === 'end' ? end() : { kind: 'body', bytes: piece };
  }

  return {
    push(bytes) {
      if (state.at !== 'failed') queue.push(bytes);
    },
    next() {
      switch (state.at) {
        case 'head':
          return readHead();
        case 'http':
          return readHttp(state.head);
        case 'body':
          return readBody(state.chunks);
        case 'end':
          return end();
        case 'failed':
          return null;
      }
    },
    get isIdle() {
      return state.at === 'head' && queue.length === 0;
    },
  };
}
