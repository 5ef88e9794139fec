import type { ByteQueue } from '#src/core/base/byte-queue.ts';

/** Maximum length of the line that begins a chunk, and of all trailers, in bytes. */
const MAX_CHUNK_LINE = 256;
const MAX_TRAILERS = 16 * 1024;

export const LINE_END = Buffer.from('\r\n');
export const BLANK_LINE = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const CHUNK_LINE = /^([0-9a-f]{1,8})[ \t]*(?:;[^\r\n\0]*)?$/i;

type State =
  | { readonly at: 'line' }
  | { readonly at: 'chunk'; readonly left: number }
  | { readonly at: 'chunk-end' }
  | { readonly at: 'trailers' }
  | { readonly at: 'end' };

/** Reads a body in chunks (RFC 9112 §7.1) as far as it arrived, piece by piece. Extensions and trailers are dropped. */
export interface ChunkReader {
  /** Returns bytes to echo; null if it takes more bytes. `end` follows the last piece, `malformed` ends it early. */
  next(): Buffer | 'end' | 'malformed' | null;
}

/** Creates a reader for one body. */
export function createChunkReader(queue: ByteQueue): ChunkReader {
  let state: State = { at: 'line' };

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
