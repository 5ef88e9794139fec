/** A text that a script hands on, with the names of the functions that are to decode it, the outermost first. */
export interface ScriptString {
  /** The function that is called with it. */
  readonly callee: string;
  readonly value: string;
  /** Position of the call in the script. */
  readonly at: number;
  readonly decoders: readonly string[];
}

const DECODER = 'unescape|decodeURIComponent|decodeURI|escape|atob|String\\.fromCharCode';
const DECODERS = new RegExp(DECODER, 'gi');
const MAX_CALLS = 20;
/** Maximum characters of a list of character codes. */
const MAX_LIST_CHARACTERS = 256 * 1024;

const DECODER_CALLS = `((?:(?:window\\.)?(?:${DECODER})\\s*\\(\\s*){0,4})`;

const callsOf = (callee: string) =>
  new RegExp(`(${callee})\\s*\\(\\s*${DECODER_CALLS}(["'\`]|\\d|[a-z_$][\\w$]{0,40}\\s*\\))`, 'gi');

/** A variable, or a member of one, and what ends it. */
const NAME = '[a-z_$][\\w$]{0,40}(?:\\.[a-z_$][\\w$]{0,40}){0,2}\\s{0,20}(?=[;)}\n,+]|$)';

/** The condition of a conditional expression; one with literals in it is not read. */
const CONDITION = '(?:[^;{}\n"\'`?=]{1,80}\\?\\s{0,20})?';

/** Something that an expression follows: a call's parenthesis, or an assignment. */
const before = (place: string) =>
  new RegExp(`(${place})\\s{0,20}${CONDITION}${DECODER_CALLS}(["'\`]|\\d|${NAME})`, 'gi');

/** `.name`, and `["name"]` as obfuscated scripts have it. */
const member = (names: string) =>
  `\\s{0,20}(?:\\.\\s{0,20}(?:${names})|\\[\\s{0,20}["'\`](?:${names})["'\`]\\s{0,20}\\])`;

const LOCATION = `(?<![\\w$])(?:(?:window|document|top|self|parent|globalThis|this)${member('location')}|location)`;

const CALLS = {
  'document.write': callsOf('document\\.write(?:ln)?'),
  decoder: callsOf(`\\b(?:${DECODER})`),
  eval: callsOf('\\beval'),
  location: before(
    `(?:${LOCATION}(?:${member('replace|assign')}\\s{0,20}\\(|(?:${member('href')})?\\s{0,20}=(?!=))|\\bnavigation\\.navigate\\s{0,20}\\()`,
  ),
  'window.open': before('(?<![\\w$.])(?:window\\s{0,20}\\.\\s{0,20})?open\\s{0,20}\\('),
} as const;

/**
 * Returns the texts that calls of one kind are given: literals and variables that hold one, joined by `+`, up to the first
 * part that is computed in any other way. A conditional expression gives both of its texts.
 */
export function stringArguments(script: string, kind: keyof typeof CALLS): ScriptString[] {
  const calls = CALLS[kind];
  calls.lastIndex = 0;
  const found: ScriptString[] = [];
  const reader: Reader = { script, heldBy: variablesOf(script) };
  for (let call = calls.exec(script); call && found.length < MAX_CALLS; call = calls.exec(script)) {
    const [whole, callee = '', decoding = '', opening = ''] = call;
    const start = call.index + whole.length - opening.length;
    const decoders = decoding.match(DECODERS) ?? [];
    const given = /^\d/.test(opening) ? readList(script, start) : readSum(reader, start);
    for (const argument of given === null ? [] : [given, ...alternative(reader, given.end)]) {
      found.push({
        callee,
        value: argument.value,
        at: call.index,
        decoders: [...decoders, ...argument.decoders],
      });
    }
  }
  return found;
}

type Argument = Pick<ScriptString, 'value' | 'decoders'>;

/** An argument, and where in the script it ends. */
interface ReadArgument extends Argument {
  readonly end: number;
}

interface Reader {
  readonly script: string;
  /** Returns what a variable or member is first set to; null if that is not a literal. */
  readonly heldBy: (name: string) => Argument | null;
}

function readList(script: string, start: number): ReadArgument | null {
  const list = /^[\d\s,]*/.exec(script.slice(start, start + MAX_LIST_CHARACTERS))?.[0];
  return list === undefined ? null : { value: list, decoders: [], end: start + list.length };
}

/** Returns the other text of a conditional expression. */
function alternative(reader: Reader, end: number): Argument[] {
  const colon = /^\s{0,20}:\s{0,20}(?=["'`])/.exec(reader.script.slice(end, end + 60));
  const other = colon && readSum(reader, end + colon[0].length);
  return other ? [other] : [];
}

/** Returns literals and variables joined by `+`; null if the first part is neither. */
function readSum(reader: Reader, start: number): ReadArgument | null {
  const { script, heldBy } = reader;
  let sum = null as ReadArgument | null;
  for (let at = start; ; ) {
    const operand = readOperand(script, at, heldBy);
    // What only a part of the sum is to be decoded by is left to the decoder of calls.
    if (operand === null || (sum && operand.decoders.length > 0)) return sum;
    const left: Argument = sum ?? { value: '', decoders: operand.decoders };
    sum = { value: left.value + operand.value, decoders: left.decoders, end: operand.end };
    const plus = /^\s{0,50}\+\s{0,50}(?=["'`a-z_$])/i.exec(script.slice(operand.end, operand.end + 120));
    if (!plus || sum.decoders.length > 0) return sum;
    at = operand.end + plus[0].length;
  }
}

function readOperand(script: string, at: number, heldBy: Reader['heldBy']): ReadArgument | null {
  if (/["'`]/.test(script.charAt(at))) {
    const end = literalEnd(script, at);
    return end === null ? null : { value: unescapeLiteral(script.slice(at + 1, end)), decoders: [], end: end + 1 };
  }
  const name = /^[a-z_$][\w$]{0,40}(?:\.[a-z_$][\w$]{0,40}){0,2}(?![\w$.([])/i.exec(script.slice(at, at + 130))?.[0];
  const held = name === undefined ? null : heldBy(name);
  return name === undefined || held === null ? null : { ...held, end: at + name.length };
}

/** Returns a function for the literals, joined by `+`, that variables and members hold; each name costs one search. */
function variablesOf(script: string): Reader['heldBy'] {
  const known = new Map<string, Argument | null>();
  return (path) => {
    const name = path.slice(path.lastIndexOf('.') + 1);
    const held = known.get(name);
    if (held !== undefined) return held;
    const value = known.size < MAX_CALLS ? findValue(script, name, path.includes('.')) : null;
    known.set(name, value);
    return value;
  };
}

function findValue(script: string, name: string, isMember: boolean): Argument | null {
  const own = name.replaceAll('$', '\\$');
  const place = isMember ? `[\\s;,{("'.]${own}["']?\\s{0,20}[:=]` : `(?:^|[\\s;,{(])${own}\\s{0,20}=`;
  const assigned = new RegExp(`${place}\\s{0,20}${DECODER_CALLS}(?=["'\`])`).exec(script);
  if (!assigned) return null;
  const literals = readSum({ script, heldBy: () => null }, assigned.index + assigned[0].length);
  return literals && { value: literals.value, decoders: (assigned[1] ?? '').match(DECODERS) ?? [] };
}

function literalEnd(script: string, start: number): number | null {
  const quote = script.charAt(start);
  for (let at = start + 1; at < script.length; at++) {
    const character = script.charAt(at);
    if (character === '\\') at += 1;
    else if (character === quote) return at;
  }
  return null;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};

function unescapeLiteral(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|([\s\S]))/gi,
    (_, x, u, braced, other) => {
      const hex: string | undefined = x ?? u ?? braced;
      if (hex === undefined) return other === '\n' ? '' : (SHORT_ESCAPES[other] ?? other);
      const codePoint = Number.parseInt(hex, 16);
      return codePoint > 0x10ffff ? '' : String.fromCodePoint(codePoint);
    },
  );
}
