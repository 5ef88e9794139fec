import { type ByteQueue, createByteQueue } from '#src/core/base/byte-queue.ts';
import { type IcapError, MAX_HEAD, type ReqmodHead, readIcapHead } from './icap-head.ts';

/** Maximum length of the line that begins a chunk, and of all trailers, in bytes. */
const MAX_CHUNK_LINE = 256;
const MAX_TRAILERS = 16 * 1024;

const LINE_END = Buffer.from('\r\n');
const BLANK_LINE = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const CHUNK_LINE = /^([0-9a-f]{1,8})[ \t]*(?:;[^\r\n\0]*)?$/i;

type ChunkState =
  | { readonly at: 'line' }
  | { readonly at: 'chunk'; readonly left: number }
  | { readonly at: 'chunk-end' }
  | { readonly at: 'trailers' }
  | { readonly at: 'end' };

/** Reads a body in chunks (RFC 9112 §7.1) as far as it arrived, piece by piece. Extensions and trailers are dropped. */
interface ChunkReader {
  /** Returns bytes to echo; null if it takes more bytes. `end` follows the last piece, `malformed` ends it early. */
  next(): Buffer | 'end' | 'malformed' | null;
}

/** Creates a reader for one body. */
function createChunkReader(queue: ByteQueue): ChunkReader {
  let state: ChunkState = { at: 'line' };

  function readLine(): Buffer | 'malformed' | null {
    const line = queue.readUntil(LINE_END, MAX_CHUNK_LINE);
    if (line === null) return null;
    const [, digits] = line === 'too_long' ? [] : (CHUNK_LINE.exec(line.toString('latin1')) ?? []);
    if (digits === undefined) return 'malformed';
    const left = Number.parseInt(digits, 16);
    state = left === 0 ? { at: 'trailers' } : { at: 'chunk', left };
    return left === 0 ? Buffer.alloc(0) : Buffer.from(`${digits}\r\n`);
  }

  function readChunk(left: number): Buffer | null {
    if (queue.length === 0) return null;
    const bytes = Buffer.from(queue.peek(left));
    queue.skip(bytes.length);
    state = bytes.length === left ? { at: 'chunk-end' } : { at: 'chunk', left: left - bytes.length };
    return bytes;
  }

  function readChunkEnd(): Buffer | 'malformed' | null {
    if (queue.length < LINE_END.length) return null;
    if (!queue.peek(LINE_END.length).equals(LINE_END)) return 'malformed';
    queue.skip(LINE_END.length);
    state = { at: 'line' };
    return LINE_END;
  }

  function readTrailers(): Buffer | 'malformed' | null {
    // Without trailers the blank line is all that follows.
    const isBare = queue.peek(LINE_END.length).equals(LINE_END);
    if (isBare) queue.skip(LINE_END.length);
    const trailers = isBare ? LINE_END : queue.readUntil(BLANK_LINE, MAX_TRAILERS);
    if (trailers === null || trailers === 'too_long') return trailers && 'malformed';
    state = { at: 'end' };
    return LAST_CHUNK;
  }

  return {
    next() {
      switch (state.at) {
        case 'line':
          return readLine();
        case 'chunk':
          return readChunk(state.left);
        case 'chunk-end':
          return readChunkEnd();
        case 'trailers':
          return readTrailers();
        case 'end':
          return 'end';
      }
    },
  };
}

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

type State =
  | { readonly at: 'head' }
  | { readonly at: 'http'; readonly head: ReqmodHead }
  | { readonly at: 'body'; readonly chunks: ChunkReader }
  | { readonly at: 'end' }
  | { readonly at: 'failed' };

/**
 * Creates a reader for one connection, which buffers at most one head and unread input. It opens no socket and never
 * throws.
 */
export function createRequestReader() {
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
    push(bytes: Uint8Array) {
      if (state.at !== 'failed') queue.push(bytes);
    },
    /** Returns the next event; null if it takes more bytes. */
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
    /** True between requests, with nothing of the next one received. */
    get isIdle() {
      return state.at === 'head' && queue.length === 0;
    },
  };
}
