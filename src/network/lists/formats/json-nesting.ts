const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Meaning of a character for the outermost object and its array members. */
export type JsonMark = 'begin' | 'array' | 'comma' | 'end-array' | 'end';

/** Follows the brackets and quotes of a text that should be one JSON object. */
export interface JsonNesting {
  /** Takes the next UTF-16 code unit; null for one that changes nothing for the outermost object. */
  step(code: number): JsonMark | 'fault' | null;
  /** Returns true if the object is closed. */
  isWhole(): boolean;
}

/** Begins before the first character. */
export function jsonNesting(): JsonNesting {
  let depth = 0;
  /** True in an array. */
  let isInArray = false;
  /** True directly after the colon of a member. */
  let isValue = false;
  let isInString = false;
  let isEscaped = false;
  let isWhole = false;

  const inString = (code: number) => {
    isInString = isEscaped || code !== QUOTE;
    isEscaped = !isEscaped && code === BACKSLASH;
    return null;
  };
  const open = (code: number): JsonMark | 'fault' | null => {
    depth += 1;
    if (depth === 1) return code === OPEN_BRACE && !isWhole ? 'begin' : 'fault';
    if (depth !== 2 || code !== OPEN_BRACKET || !isValue) return null;
    isInArray = true;
    return 'array';
  };
  const close = (code: number): JsonMark | 'fault' | null => {
    const isOutermost = depth === (isInArray ? 2 : 1);
    depth -= 1;
    if (!isOutermost) return null;
    const [wanted, mark] = isInArray ? ([CLOSE_BRACKET, 'end-array'] as const) : ([CLOSE_BRACE, 'end'] as const);
    isInArray = false;
    isWhole = depth === 0;
    return code === wanted ? mark : 'fault';
  };
  const outside = (code: number): JsonMark | 'fault' | null => {
    if (code === OPEN_BRACE || code === OPEN_BRACKET) return open(code);
    if (depth === 0) return 'fault';
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET) return close(code);
    isInString = code === QUOTE;
    return code === COMMA && depth === (isInArray ? 2 : 1) ? 'comma' : null;
  };
  return {
    step(code) {
      if (isInString) return inString(code);
      if (code <= SPACE) return null;
      const mark = outside(code);
      isValue = code === COLON;
      return mark;
    },
    isWhole: () => isWhole,
  };
}
