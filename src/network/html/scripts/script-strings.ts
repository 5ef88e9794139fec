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

/** Something that an expression follows: a call's parenthesis, or an assignment. */
const before = (place: string) =>
  new RegExp(`(${place})\\s{0,20}${DECODER_CALLS}(["'\`]|\\d|[a-z_$][\\w$]{0,40}\\s{0,20}(?=[;)}\n,]|$))`, 'gi');

/** `.name`, and `["name"]` as obfuscated scripts have it. */
const member = (names: string) =>
  `\\s{0,20}(?:\\.\\s{0,20}(?:${names})|\\[\\s{0,20}["'\`](?:${names})["'\`]\\s{0,20}\\])`;

const LOCATION = `(?<![\\w$])(?:(?:window|document|top|self|parent|globalThis|this)${member('location')}|location)`;

const CALLS = {
  'document.write': callsOf('document\\.write(?:ln)?'),
  decoder: callsOf(`\\b(?:${DECODER})`),
  eval: callsOf('\\beval'),
  location: before(`${LOCATION}(?:${member('replace|assign')}\\s{0,20}\\(|(?:${member('href')})?\\s{0,20}=(?!=))`),
  'window.open': before('(?<![\\w$.])(?:window\\s{0,20}\\.\\s{0,20})?open\\s{0,20}\\('),
} as const;

/**
 * The texts that calls of one kind are given as a literal, as literals joined by `+`, or as a variable that holds one.
 * What is computed in any other way is left out.
 */
export function stringArguments(script: string, kind: keyof typeof CALLS): ScriptString[] {
  const calls = CALLS[kind];
  calls.lastIndex = 0;
  const found: ScriptString[] = [];
  for (let call = calls.exec(script); call && found.length < MAX_CALLS; call = calls.exec(script)) {
    const argument = readArgument(script, call[3] ?? '', calls.lastIndex);
    if (argument === null) continue;
    const decoders = [...((call[2] ?? '').match(DECODERS) ?? []), ...argument.decoders];
    found.push({ callee: call[1] ?? '', value: argument.value, at: call.index, decoders });
  }
  return found;
}

type Argument = Pick<ScriptString, 'value' | 'decoders'>;

/** The text of an argument that begins with `opening`, which ends at `at`; null where it is neither literal nor known. */
function readArgument(script: string, opening: string, at: number): Argument | null {
  if (/^\d$/.test(opening)) {
    const list = /^[\d\s,]*/.exec(script.slice(at - 1, at - 1 + MAX_LIST_CHARACTERS))?.[0];
    return list === undefined ? null : { value: list, decoders: [] };
  }
  const isLiteral = /^["'`]$/.test(opening);
  const start = isLiteral ? { at: at - 1, decoders: [] } : valueStart(script, opening.replace(/\)$/, '').trimEnd());
  const value = start && readLiterals(script, start.at);
  return value === null ? null : { value, decoders: start?.decoders ?? [] };
}

/**
 * Returns where the literal begins that first initialises a variable, and its decoder; null if the variable is not
 * initialised by a literal.
 */
function valueStart(
  script: string,
  variable: string,
): { readonly at: number; readonly decoders: readonly string[] } | null {
  if (!/^[a-z_$][\w$]*$/i.test(variable)) return null;
  const name = variable.replaceAll('$', '\\$');
  const assigned = new RegExp(`(?:^|[\\s;,{(])${name}\\s{0,20}=\\s{0,20}${DECODER_CALLS}["'\`]`).exec(script);
  if (!assigned) return null;
  return { at: assigned.index + assigned[0].length - 1, decoders: (assigned[1] ?? '').match(DECODERS) ?? [] };
}

/** A literal and those joined to it by `+`; null where it does not end. */
function readLiterals(script: string, start: number): string | null {
  let value = '';
  for (let at = start; ; ) {
    const end = literalEnd(script, at);
    if (end === null) return null;
    value += unescapeLiteral(script.slice(at + 1, end));
    const next = /^\s{0,50}\+\s{0,50}(?=["'`])/.exec(script.slice(end + 1, end + 120));
    if (!next) return value;
    at = end + 1 + next[0].length;
  }
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
