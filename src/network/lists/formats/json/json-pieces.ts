import { type ListFileItem, listLineProblem } from '../list-format.ts';

/** A value of a JSON text at one of the places that were asked for. */
export interface JsonPiece {
  /** Index in its array, or name of the member. */
  readonly key: string | number | undefined;
  /** Name of the nearest member above it; empty if there is none. */
  readonly member: string;
  readonly value: unknown;
  /** The line on which it begins, counted from 1. */
  readonly line: number;
}

/** Position and reason of a JSON syntax error, as the end of a sentence. */
export interface JsonFault {
  readonly line: number;
  readonly message: string;
}

/** The longest piece, in bytes: an attribute of MISP may hold a small file. */
const MAX_PIECE_BYTES = 4 * 1024 * 1024;

/** Depth of brackets that no feed has; the parser takes time for each open one. */
const MAX_DEPTH = 32;

/**
 * Reads a JSON text of any size piece by piece with @streamparser/json, and holds no more than one of them. Behind a fault
 * there are no more pieces.
 *
 * @param paths places of the pieces, such as `$.objects.*`
 */
async function* jsonPieces(
  bytes: AsyncIterable<Uint8Array>,
  paths: readonly string[],
): AsyncGenerator<readonly JsonPiece[], JsonFault | null> {
  // Only who imports JSON waits for its parser.
  const { Tokenizer, TokenParser, TokenType } = await import('@streamparser/json');
  const { LEFT_BRACE, LEFT_BRACKET, RIGHT_BRACE, RIGHT_BRACKET } = TokenType;
  const pieceDepth = Math.min(...paths.map((path) => path.split('.').length));
  const lines = lineCounter();
  /** Line and offset of each open bracket. */
  const open: { readonly line: number; readonly offset: number }[] = [];
  let pieces: JsonPiece[] = [];
  /** Line of the bracket that the last token closed; null for any other token. */
  let closedLine: number | null = null;
  let lastOffset = 0;
  let lastPiece = 0;

  const parser = new TokenParser({ paths: [...paths], keepStack: false });
  parser.onValue = ({ value, key, stack }) => {
    lastPiece = lastOffset;
    const member = typeof key === 'string' ? key : stack.findLast((one) => typeof one.key === 'string')?.key;
    pieces.push({ key, member: String(member ?? ''), value, line: closedLine ?? lines.at(lastOffset) });
  };
  const tokenizer = new Tokenizer();
  tokenizer.onToken = (token) => {
    lastOffset = token.offset;
    const kind = token.token;
    if (kind === LEFT_BRACE || kind === LEFT_BRACKET) {
      if (open.length === MAX_DEPTH) throw new BoundError(`is nested more than ${MAX_DEPTH} deep`);
      open.push({ line: lines.at(lastOffset), offset: lastOffset });
    } else if (kind === RIGHT_BRACE || kind === RIGHT_BRACKET) closedLine = open.pop()?.line ?? null;
    const piece = open[pieceDepth - 1];
    if (piece !== undefined && lastOffset - Math.max(piece.offset, lastPiece) > MAX_PIECE_BYTES) throw tooLong();
    parser.write(token);
    closedLine = null;
  };

  let read = 0;
  // What is no UTF-8 is replaced, so that it costs its own value alone.
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  for await (const written of bytes) {
    const chunk = encoder.encode(decoder.decode(written, { stream: true }));
    lines.add(chunk);
    try {
      tokenizer.write(chunk);
      read += chunk.length;
      if (read - lastOffset > MAX_PIECE_BYTES && !parser.isEnded) throw tooLong();
    } catch (error) {
      yield pieces;
      return { line: lines.at(lastOffset), message: faultText(error) };
    }
    yield pieces;
    pieces = [];
  }
  if (!parser.isEnded) return { line: lines.last(), message: 'is cut short here: the JSON text is not closed' };
  return null;
}

/** Reads the items of the pieces of a JSON text, and its fault. */
export async function* readPieces(
  bytes: AsyncIterable<Uint8Array>,
  paths: readonly string[],
  read: (piece: JsonPiece) => readonly ListFileItem[],
): AsyncGenerator<readonly ListFileItem[], { readonly isWhole: boolean }> {
  const pieces = jsonPieces(bytes, paths);
  for (let next = await pieces.next(); ; next = await pieces.next()) {
    if (next.done) {
      if (next.value !== null) yield [next.value];
      return { isWhole: next.value === null };
    }
    yield next.value.flatMap((piece) => read(piece).map(withoutBadText));
  }
}

/** The same item, but for a value in which bytes were no text. */
function withoutBadText(item: ListFileItem): ListFileItem {
  const problem = 'value' in item ? listLineProblem(item.value) : null;
  return problem === null ? item : { line: item.line, message: problem };
}

/** A bound of the reader; the message is the end of a sentence. */
class BoundError extends Error {}

const tooLong = () => new BoundError('begins a value of more than four megabytes');

function faultText(error: unknown): string {
  return error instanceof BoundError ? error.message : 'is not JSON here';
}

/** Counts lines by the offsets of a text that comes in chunks; offsets must not go down. */
function lineCounter() {
  const NEWLINE = 0x0a;
  let line = 1;
  let chunk: Uint8Array = new Uint8Array();
  let chunkStart = 0;
  let next = -1;
  const advance = (offset: number) => {
    while (next !== -1 && next + chunkStart < offset) {
      line += 1;
      next = chunk.indexOf(NEWLINE, next + 1);
    }
    return line;
  };
  return {
    add(more: Uint8Array) {
      advance(Number.POSITIVE_INFINITY);
      chunkStart += chunk.length;
      chunk = more;
      next = chunk.indexOf(NEWLINE);
    },
    at: advance,
    last: () => advance(Number.POSITIVE_INFINITY),
  };
}
