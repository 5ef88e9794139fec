import { type FunctionValue, MAX_TEXT, type NameScope, RANK, type Value } from './constants/script-value.ts';
import { writeAttached } from './effects/built-element.ts';
import { openAddress } from './effects/navigation.ts';
import { noFindings, takeWritten } from './effects/script-findings.ts';
import type { ScriptReader } from './effects/script-reader.ts';
import { ACTING_WORDS, HOST_NAMES } from './page-names.ts';
import { readAssignment } from './script-expression.ts';
import { bindParameters, isActing } from './script-functions.ts';
import type { ScriptPlace } from './script-place.ts';
import { readStatementsOf } from './script-statement.ts';
import { type ScriptTokens, tokenizeScript } from './tokens/script-tokens.ts';

/** Characters that the methods of all scripts of a page may read and make. */
const MAX_CHARACTERS = 3 * MAX_TEXT;

/** Tokens of functions that are read again with other arguments. */
const MAX_STEPS = 100_000;

/** Nesting of scripts in texts, and of calls of functions. */
const MAX_NESTING = 3;
const MAX_CALLS_DEPTH = 60;

/** Scopes of functions within functions; deeper ones share one. */
const MAX_SCOPES = 12;

const MAX_CODES = 200;

/** Creates a reader of the scripts of a page. */
export function createScriptReader(url: string | null, elementById: ScriptReader['elementById']): ScriptReader {
  const reader: ScriptReader = {
    findings: noFindings(),
    url,
    globals: { names: new Map(), outer: null, depth: 0 },
    budget: { characters: MAX_CHARACTERS },
    elementById,
    attached: [],
    queue: [],
    isConditional: false,
    functions: [],
    calledNames: new Map(),
    readCodes: new Map(),
    steps: MAX_STEPS,
    depth: 0,
    nesting: 0,
    elements: 0,
    call: (called, args, rank) => callFunction(reader, called, args, rank, COST_OF_CALL),
    callForEach: (called, args, rank) => callFunction(reader, called, args, rank, 1),
    readCode: (code, rank) => readInnerCode(reader, code, rank),
  };
  return reader;
}

/** Text of scripts that may do something to the page: by a name of it, which may also be spelt in pieces or escapes. */
const ACTS = new RegExp(
  `${ACTING_WORDS.join('|')}|[\\w$)\\]]\\s{0,9}\\[\\s{0,9}["'\`]|\\b(?:${HOST_NAMES.join('|')})\\s{0,9}\\[|\\\\[ux]`,
);

/** Length up to which scripts are read that declare what others may use, or call what others declare. */
const SHORT = 1000;
const USES_OTHERS = /[^=!<>]=\s{0,9}["'`[{(]|\bfunction\b|=>|(?<![\w$.])[\w$]{1,40}\s{0,9}\(|\(\s{0,9}[^{[\s]/;

/** Reads a script of the page, with what runs once it has ended, and returns the markup that it writes. */
export function readPageScript(reader: ScriptReader, code: string, rank: number = RANK.itself): string[] {
  if (!ACTS.test(code) && (code.length > SHORT || !USES_OTHERS.test(code))) return [];
  readCodeAt(reader, code, rank);
  finishFunctions(reader);
  writeAttached(reader);
  return takeWritten(reader.findings);
}

/** Reads the script or the page in the address of a frame, and returns the markup that it shows there. */
export function readFrameAddress(reader: ScriptReader, address: string): string[] {
  openAddress({ reader, scope: reader.globals, rank: RANK.itself }, address);
  finishFunctions(reader);
  writeAttached(reader);
  return takeWritten(reader.findings);
}

function readInnerCode(reader: ScriptReader, code: string, rank: number): Value {
  const before = reader.readCodes.get(code) ?? RANK.never;
  if (before <= rank || reader.nesting >= MAX_NESTING || reader.readCodes.size >= MAX_CODES) return null;
  if (code.length > reader.budget.characters) return null;
  reader.budget.characters -= code.length;
  reader.readCodes.set(code, rank);
  reader.findings.decoded.add(code);
  reader.nesting += 1;
  const { depth } = reader;
  const value = readCodeAt(reader, code, rank);
  reader.depth = depth;
  reader.nesting -= 1;
  return value;
}

function readCodeAt(reader: ScriptReader, code: string, rank: number): Value {
  const tokens = tokenizeScript(code);
  if (tokens.acting.length === 0 && code.length > SHORT) return null;
  return readStatementsOf(placeAt(reader, tokens, reader.globals, rank), tokens.count);
}

function placeAt(reader: ScriptReader, tokens: ScriptTokens, scope: NameScope, rank: number): ScriptPlace {
  return {
    reader,
    tokens,
    scope,
    rank,
    at: 0,
    loops: 0,
    conditions: 0,
    mayHaveEnded: false,
    returned: null,
    target: null,
    read: readAssignment,
    withs: [],
  };
}

/** Reads the functions that run later, and then those that nothing has called. */
function finishFunctions(reader: ScriptReader): void {
  const { queue, functions, calledNames } = reader;
  let [later, uncalled] = [0, 0];
  while (later + uncalled < MAX_FUNCTIONS) {
    const next = queue[later];
    const left = functions[uncalled];
    if (next !== undefined) {
      later += 1;
      reader.isConditional = next.isConditional;
      if (next.rank < next.called.rank) readFunction(reader, next.called, [], next.rank);
      reader.isConditional = false;
    } else if (left !== undefined) {
      uncalled += 1;
      const rank = Math.min(calledNames.get(left.name) ?? RANK.uncalled, RANK.uncalled);
      if (left.rank === RANK.never && isActing(left)) readFunction(reader, left, [], rank);
    } else break;
  }
  queue.length = 0;
  functions.length = 0;
}

/** Maximum number of functions of a script that are read at its end. */
const MAX_FUNCTIONS = 200_000;

function callFunction(
  reader: ScriptReader,
  called: FunctionValue,
  args: readonly Value[],
  rank: number,
  cost: number,
): Value {
  const isFirst = rank < called.rank;
  if (called.isOpen || !(isFirst || (called.end - called.body <= MAX_REPEATED && args.some(isConstant))))
    return called.returned;
  if (reader.depth > MAX_CALLS_DEPTH) {
    if (isFirst) reader.queue.push({ called, rank, isConditional: reader.isConditional });
    return null;
  }
  return readFunction(reader, called, args, rank, cost);
}

/** Share of the budget that a usual call takes; what decodes a text item by item takes the least. */
const COST_OF_CALL = 8;

/** Maximum tokens of a function that is read again for other constants. */
const MAX_REPEATED = 200;

function isConstant(value: Value): boolean {
  return (
    typeof value === 'string' ||
    typeof value === 'number' ||
    (value !== null && typeof value === 'object' && value.kind === 'text')
  );
}

/** Reads the body of a function; one that was read before takes from the budget. */
function readFunction(
  reader: ScriptReader,
  called: FunctionValue,
  args: readonly Value[],
  rank: number,
  cost = COST_OF_CALL,
): Value {
  const { tokens, body, end, scope } = called;
  if (called.rank !== RANK.never) {
    reader.steps -= cost * (end - body + 1);
    if (reader.steps < 0) return null;
  }
  called.rank = Math.min(called.rank, rank);
  called.isOpen = true;
  const inner: NameScope =
    scope.depth < MAX_SCOPES ? { names: new Map(), outer: scope, depth: scope.depth + 1 } : scope;
  bindParameters(called, args, inner.names);
  const place = placeAt(reader, tokens, inner, rank);
  place.at = body;
  called.returned = called.isExpression ? readAssignment(place) : returnedBy(place, end);
  called.isOpen = false;
  return called.returned;
}

function returnedBy(place: ScriptPlace, end: number): Value {
  readStatementsOf(place, end);
  return place.returned;
}
