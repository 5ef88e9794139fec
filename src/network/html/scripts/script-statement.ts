import { either, type Value } from './constants/script-value.ts';
import { importFile } from './effects/global-calls.ts';
import { readMember } from './effects/member-access.ts';
import { readInside } from './script-brackets.ts';
import { readAssignment, readExpression } from './script-expression.ts';
import { hoistFunctions, takeFunction } from './script-functions.ts';
import { declareVariable, isAt, MARK, type ScriptPlace, take, wordAt } from './script-place.ts';
import { TOKEN, WORD } from './tokens/script-tokens.ts';

/** Maximum nesting of blocks; deeper ones are read as if they had no braces. */
const MAX_DEPTH = 80;

/** Reads the statements of a script or of a function up to a token, and returns the value of the last expression. */
export function readStatementsOf(place: ScriptPlace, end: number): Value {
  hoistFunctions(place, end);
  return readStatements(place, end);
}

function readStatements(place: ScriptPlace, end: number): Value {
  let value: Value = null;
  while (place.at < end) {
    const before = place.at;
    value = readStatement(place, end) ?? value;
    if (place.at === before) place.at += 1;
  }
  return value;
}

type Statement = (place: ScriptPlace, end: number) => Value;

function readStatement(place: ScriptPlace, end: number): Value {
  const { tokens, reader } = place;
  if (isAt(place, MARK.openCurly)) return readBlock(place);
  if (take(place, MARK.semicolon) || take(place, MARK.closeCurly)) return null;
  if (tokens.kinds[place.at] !== TOKEN.word) return readExpression(place);
  const statement = STATEMENTS.get(tokens.marks[place.at] ?? 0);
  if (statement === undefined || isName(place)) return readExpression(place);
  if (reader.depth >= MAX_DEPTH) {
    place.at += 1;
    return null;
  }
  reader.depth += 1;
  const value = statement(place, end);
  reader.depth -= 1;
  return value;
}

/** Returns true if a word such as `import` or `let` is used as a name. */
function isName({ tokens, at }: ScriptPlace): boolean {
  const mark = tokens.marks[at + 1];
  return (
    mark === MARK.dot ||
    mark === MARK.assign ||
    mark === MARK.arrow ||
    (mark === MARK.openRound && (tokens.marks[at] === WORD['import'] || tokens.marks[at] === WORD['async']))
  );
}

function readBlock(place: ScriptPlace): Value {
  const { tokens, reader } = place;
  const end = tokens.partners[place.at] ?? tokens.count;
  place.at += 1;
  if (reader.depth >= MAX_DEPTH) return null;
  reader.depth += 1;
  const value = readStatements(place, end);
  place.at = Math.max(place.at, end + 1);
  reader.depth -= 1;
  return value;
}

const conditionally: Statement = (place, end) => {
  place.at += 1;
  return readConditionally(place, end);
};

function readConditionally(place: ScriptPlace, end: number): Value {
  place.conditions += 1;
  const value = readStatement(place, end);
  place.conditions -= 1;
  return value;
}

const ifStatement: Statement = (place, end) => {
  place.at += 1;
  if (isAt(place, MARK.openRound)) readInside(place);
  return readConditionally(place, end);
};

const withStatement: Statement = (place, end) => {
  place.at += 1;
  if (!isAt(place, MARK.openRound)) return null;
  place.withs.push(readInside(place));
  const value = readStatement(place, end);
  place.withs.pop();
  return value;
};

/** `catch (error)`: its variable is unknown. */
const catchStatement: Statement = (place, end) => {
  const { tokens } = place;
  place.at += 1;
  if (isAt(place, MARK.openRound)) place.at = (tokens.partners[place.at] ?? tokens.count) + 1;
  return readConditionally(place, end);
};

const loop: Statement = (place, end) => {
  place.at += 1;
  place.loops += 1;
  place.conditions += 1;
  if (place.tokens.marks[place.at] === WORD['await']) place.at += 1;
  if (isAt(place, MARK.openRound)) {
    const close = place.tokens.partners[place.at] ?? place.tokens.count;
    place.at += 1;
    readStatements(place, close);
    place.at = Math.max(place.at, close + 1);
  }
  const value = readStatement(place, end);
  place.conditions -= 1;
  place.loops -= 1;
  return value;
};

const declaration: Statement = (place) => {
  const { tokens } = place;
  place.at += 1;
  do {
    if (isAt(place, MARK.openCurly) || isAt(place, MARK.openSquare)) {
      readPattern(place);
      continue;
    }
    const name = wordAt(tokens, place.at);
    if (name === '') return null;
    place.at += 1;
    const isSet = take(place, MARK.assign);
    const value = isSet ? readAssignment(place) : null;
    if (isSet || !place.scope.names.has(name)) declareVariable(place, name, value);
  } while (take(place, MARK.comma));
  return null;
};

/** Reads `{a, b: c} = value` or `[a, b] = value`; names in patterns within patterns stay unknown. */
function readPattern(place: ScriptPlace): void {
  const { tokens } = place;
  const start = place.at;
  const isList = isAt(place, MARK.openSquare);
  const end = tokens.partners[start] ?? tokens.count;
  place.at = end + 1;
  const value = take(place, MARK.assign) ? readAssignment(place) : null;
  let index = 0;
  for (let at = start + 1; at < end; at++) {
    const key = wordAt(tokens, at);
    const isRenamed = !isList && tokens.marks[at + 1] === MARK.colon;
    const name = isRenamed ? wordAt(tokens, at + 2) : key;
    if (name !== '') declareVariable(place, name, readMember(place.reader, value, isList ? String(index) : key));
    while (at < end && tokens.marks[at] !== MARK.comma)
      at = (tokens.partners[at] ?? 0) > at ? (tokens.partners[at] ?? 0) + 1 : at + 1;
    index += 1;
  }
}

const functionStatement: Statement = (place) => {
  const { tokens, scope } = place;
  place.at += 1;
  take(place, MARK.star);
  const name = wordAt(tokens, place.at);
  if (name !== '') place.at += 1;
  const hoisted = scope.names.get(name) ?? null;
  const isHoisted =
    hoisted !== null && typeof hoisted === 'object' && hoisted.kind === 'function' && hoisted.tokens === tokens;
  if (isHoisted && hoisted.parameters === place.at) {
    place.at = hoisted.end + 1;
    return null;
  }
  const declared = takeFunction(place, name);
  if (declared && name !== '') declareVariable(place, name, declared);
  return null;
};

/** Reads a class: its methods are functions of their names. */
const classStatement: Statement = (place) => {
  const { tokens } = place;
  while (place.at < tokens.count && !isAt(place, MARK.openCurly)) place.at += 1;
  const end = tokens.partners[place.at] ?? tokens.count;
  place.at += 1;
  while (place.at < end) {
    const name = wordAt(tokens, place.at);
    place.at += 1;
    if (isAt(place, MARK.openRound)) takeFunction(place, name);
    else if (take(place, MARK.assign)) readAssignment(place);
  }
  place.at = Math.max(place.at, end + 1);
  return null;
};

const returnStatement: Statement = (place) => {
  place.at += 1;
  place.mayHaveEnded ||= place.conditions > 0;
  const isEmpty = isAt(place, MARK.semicolon) || isAt(place, MARK.closeCurly);
  if (!isEmpty) place.returned = either(place.returned, readExpression(place));
  return null;
};

/** `import … from "file"`. */
const importStatement: Statement = (place) => {
  const { tokens } = place;
  while (place.at < tokens.count && tokens.kinds[place.at] !== TOKEN.string && !isAt(place, MARK.semicolon))
    place.at += 1;
  if (tokens.kinds[place.at] === TOKEN.string) importFile(place, readAssignment(place));
  return null;
};

const skipWord: Statement = (place) => {
  place.at += 1;
  return null;
};

const STATEMENTS: ReadonlyMap<number, Statement> = new Map(
  Object.entries({
    var: declaration,
    let: declaration,
    const: declaration,
    function: functionStatement,
    class: classStatement,
    if: ifStatement,
    switch: ifStatement,
    with: withStatement,
    for: loop,
    while: loop,
    else: conditionally,
    do: skipWord,
    try: skipWord,
    finally: skipWord,
    catch: catchStatement,
    return: returnStatement,
    throw: skipWord,
    case: skipWord,
    default: skipWord,
    export: skipWord,
    import: importStatement,
    async: skipWord,
  } satisfies Record<string, Statement>).map(([word, statement]) => [WORD[word] ?? 0, statement]),
);
