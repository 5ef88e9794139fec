import { isObject } from '#src/core/base/text/is-object.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { quoted } from '../quoted.ts';
import { type JsonMark, jsonNesting } from './json-nesting.ts';

/** A member of the outermost object that is no array, or an element of one that is. */
export interface JsonPiece {
  readonly member: string;
  readonly isElement: boolean;
  readonly value: unknown;
  /** The line on which it begins, counted from 1. */
  readonly line: number;
}

/** Position and reason of a JSON syntax error, as the end of a sentence. */
export interface JsonFault {
  readonly line: number;
  readonly message: string;
}

/** Reads one JSON object as it comes in. */
export interface JsonMembers {
  /** The pieces that a part of the text completes. Behind a fault there are no more. */
  add(text: string): readonly JsonPiece[];
  /** Ends the text. */
  end(): void;
  /** Returns the fault; null if there is none. */
  fault(): JsonFault | null;
}

const NEWLINE = 0x0a;

/** The longest piece, in characters: an indicator with a long description has a hundredth of that. */
const MAX_PIECE = 1024 * 1024;

/**
 * Takes a JSON object apart into its members and the elements of its arrays, each of which is parsed by itself: so it is known
 * on which line each stands, and of a file of any size no more than one is held.
 */
export function jsonMembers(): JsonMembers {
  const nesting = jsonNesting();
  let fault: JsonFault | null = null;
  let line = 1;
  /** The member parsed so far in earlier chunks, and its first line. */
  let piece = '';
  let pieceLine = 1;
  /** The member whose elements are read; null between members. */
  let array: string | null = null;
  /** True once only the next comma or bracket may follow. */
  let isDone = false;
  let isFirst = true;

  const fail = (message: string, at = line) => {
    fault ??= { line: at, message };
  };
  const begin = () => {
    piece = '';
    pieceLine = line;
  };
  const finish = (isLast: boolean): JsonPiece | null => {
    const at = pieceLine + (/^\s*/.exec(piece)?.[0].split('\n').length ?? 1) - 1;
    const text = piece.trim();
    const isMissing = text === '' && !isDone && !(isLast && isFirst);
    if (isMissing || (text !== '' && isDone)) fail('has a missing or surplus comma', at);
    if (isDone || text === '') return null;
    const read = array === null ? readMember(text) : { member: array, isElement: true, value: parseJson(text) };
    if (read !== null && read.value !== undefined) return { ...read, line: at };
    fail(`${quoted(text)} is not JSON`, at);
    return null;
  };
  const pieceAt = (mark: JsonMark): JsonPiece | null => {
    const isOpening = mark === 'begin' || mark === 'array';
    const found = isOpening ? null : finish(mark !== 'comma');
    if (mark === 'array') array = readMember(`${piece}null`)?.member ?? null;
    if (mark === 'array' && array === null) fail(`${quoted(piece.trim())} is not JSON`);
    if (mark === 'end-array') array = null;
    isDone = mark === 'end-array';
    isFirst = isOpening;
    begin();
    return found;
  };
  return {
    add(text) {
      const pieces: JsonPiece[] = [];
      let start = 0;
      for (let at = 0; at < text.length && fault === null; at++) {
        const code = text.charCodeAt(at);
        const mark = nesting.step(code);
        if (code === NEWLINE) line += 1;
        if (mark === null) continue;
        if (mark === 'fault') fail('has an unmatched bracket, or text outside its object');
        else {
          piece += text.slice(start, at);
          start = at + 1;
          const found = pieceAt(mark);
          if (found !== null) pieces.push(found);
        }
      }
      piece += text.slice(start);
      if (piece.length > MAX_PIECE) fail('begins a value of more than a megabyte', pieceLine);
      return fault === null ? pieces : [];
    },
    end() {
      if (!nesting.isWhole()) fail('is cut short here: the JSON object is not closed');
    },
    fault: () => fault,
  };
}

function readMember(text: string): Omit<JsonPiece, 'line'> | null {
  const value = parseJson(`{${text}}`);
  if (!isObject(value)) return null;
  const [member, ...others] = Object.keys(value);
  return member === undefined || others.length > 0 ? null : { member, isElement: false, value: value[member] };
}
