import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  isArrayBindingPattern,
  isArrayLiteralExpression,
  isBigIntLiteral,
  isBinaryExpression,
  isBindingElement,
  isBreakOrContinueStatement,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isExpressionStatement,
  isForStatement,
  isIfStatement,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isPropertyDeclaration,
  isRegularExpressionLiteral,
  isReturnStatement,
  isStringLiteral,
  isTemplateExpression,
  isThrowStatement,
  isWhileStatement,
} from 'typescript/unstable/ast/is';

/** Text that takes the place of what stands between two offsets. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

type Operator = (node: Node, file: SourceFile) => readonly Edit[];

/** Every small change that is made at a node. */
export function editsAt(node: Node, file: SourceFile): readonly Edit[] {
  return OPERATORS.flatMap((operator) => operator(node, file));
}

const OPERATORS: readonly Operator[] = [
  negateCondition,
  dropOperand,
  swapOperator,
  dropNegation,
  moveNumber,
  flipBoolean,
  emptyText,
  loosenPattern,
  dropElement,
  dropStatement,
  swapMethod,
  dropMethod,
  dropBound,
];

function replace(node: Node, file: SourceFile, text: string): Edit {
  return { start: node.getStart(file), end: node.end, text };
}

function negateCondition(node: Node, file: SourceFile): readonly Edit[] {
  const condition =
    isIfStatement(node) || isWhileStatement(node)
      ? node.expression
      : isForStatement(node) || isConditionalExpression(node)
        ? node.condition
        : undefined;
  return condition ? [replace(condition, file, `!(${condition.getText(file)})`)] : [];
}

const JOINTS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.QuestionQuestionToken,
]);

/** Of a conjunction, a disjunction or a default, one side alone. */
function dropOperand(node: Node, file: SourceFile): readonly Edit[] {
  if (!isBinaryExpression(node) || !JOINTS.has(node.operatorToken.kind)) return [];
  return [node.left, node.right].map((side) => replace(node, file, side.getText(file)));
}

const OTHER_OPERATOR: Readonly<Partial<Record<SyntaxKind, string>>> = {
  [SyntaxKind.LessThanToken]: '<=',
  [SyntaxKind.LessThanEqualsToken]: '<',
  [SyntaxKind.GreaterThanToken]: '>=',
  [SyntaxKind.GreaterThanEqualsToken]: '>',
  [SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [SyntaxKind.PlusToken]: '-',
  [SyntaxKind.MinusToken]: '+',
  [SyntaxKind.AsteriskToken]: '/',
  [SyntaxKind.SlashToken]: '*',
  [SyntaxKind.PercentToken]: '*',
  [SyntaxKind.AmpersandToken]: '|',
  [SyntaxKind.BarToken]: '&',
  [SyntaxKind.CaretToken]: '&',
  [SyntaxKind.LessThanLessThanToken]: '>>',
  [SyntaxKind.GreaterThanGreaterThanToken]: '<<',
  [SyntaxKind.GreaterThanGreaterThanGreaterThanToken]: '<<',
  [SyntaxKind.PlusEqualsToken]: '-=',
  [SyntaxKind.MinusEqualsToken]: '+=',
};

function swapOperator(node: Node, file: SourceFile): readonly Edit[] {
  if (!isBinaryExpression(node)) return [];
  const { operatorToken: token } = node;
  const other = OTHER_OPERATOR[token.kind];
  if (other === undefined || (token.kind === SyntaxKind.PlusToken && isText(node))) return [];
  return [replace(token, file, other)];
}

/** Whether a sum is plainly one of texts, of which no difference can be taken. */
function isText(node: Node): boolean {
  if (isBinaryExpression(node)) return isText(node.left) || isText(node.right);
  return isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isTemplateExpression(node);
}

function dropNegation(node: Node, file: SourceFile): readonly Edit[] {
  if (!isPrefixUnaryExpression(node) || node.operator !== SyntaxKind.ExclamationToken) return [];
  return [replace(node, file, node.operand.getText(file))];
}

function moveNumber(node: Node, file: SourceFile): readonly Edit[] {
  const text = node.getText(file);
  if (isBigIntLiteral(node)) return [-1n, 1n].map((by) => replace(node, file, `(${BigInt(text.slice(0, -1)) + by}n)`));
  if (!isNumericLiteral(node) || isForTheCompiler(node)) return [];
  return [-1, 1].map((by) => replace(node, file, `(${Number(text.replaceAll('_', '')) + by})`));
}

function flipBoolean(node: Node, file: SourceFile): readonly Edit[] {
  if (node.kind === SyntaxKind.TrueKeyword) return [replace(node, file, 'false')];
  return node.kind === SyntaxKind.FalseKeyword ? [replace(node, file, 'true')] : [];
}

/** Members whose text is for people. */
const PROSE_MEMBERS: ReadonlySet<string> = new Set(['description', 'summary', 'message', 'title', 'about']);

function emptyText(node: Node, file: SourceFile): readonly Edit[] {
  if (!isStringLiteral(node) && !isNoSubstitutionTemplateLiteral(node)) return [];
  const isName = isPropertyAssignment(node.parent) && node.parent.name === node;
  if (isName || isForTheCompiler(node)) return [];
  return [replace(node, file, node.text === '' ? "'mutant'" : "''")];
}

/** Whether a value is a default that the compiler wants where something is taken by its place, which it may not have. */
function isForTheCompiler(node: Node): boolean {
  const { parent } = node;
  if (isBindingElement(parent)) return isArrayBindingPattern(parent.parent) && parent.initializer === node;
  if (!isBinaryExpression(parent) || parent.right !== node) return false;
  const { left } = parent;
  const isAt =
    isCallExpression(left) && isPropertyAccessExpression(left.expression) && left.expression.name.text === 'at';
  return isAt || isElementAccessExpression(left);
}

/** Whether a node is, or is part of, what an error or a document tells people: words that no program goes by. */
export function isProse(node: Node, file: SourceFile): boolean {
  const { parent } = node;
  if (isPropertyDeclaration(parent)) return parent.name.getText(file) === 'name';
  if (isPropertyAssignment(parent)) return PROSE_MEMBERS.has(parent.name.getText(file));
  if (isTemplateExpression(node) || isStringLiteral(node)) {
    const isOfError = isNewExpression(parent) && parent.expression.getText(file).endsWith('Error');
    return isOfError && /\s/.test(node.getText(file));
  }
  return false;
}

/** A pattern that no longer holds on to the beginning or the end of a text, or to letters of both cases. */
function loosenPattern(node: Node, file: SourceFile): readonly Edit[] {
  if (!isRegularExpressionLiteral(node)) return [];
  const [, source = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
  const looser = [
    ...(source.startsWith('^') ? [`/${source.slice(1)}/${flags}`] : []),
    ...(/(?<!\\)\$$/.test(source) ? [`/${source.slice(0, -1)}/${flags}`] : []),
    ...(flags.includes('i') ? [`/${source}/${flags.replace('i', '')}`] : []),
  ];
  return looser.map((text) => replace(node, file, text));
}

function dropElement(node: Node, file: SourceFile): readonly Edit[] {
  if (!isArrayLiteralExpression(node)) return [];
  const texts = node.elements.map((element) => element.getText(file));
  return texts.map((_, at) => replace(node, file, `[${texts.toSpliced(at, 1).join(', ')}]`));
}

/** An early way out that is not taken, or something that is not done. */
function dropStatement(node: Node, file: SourceFile): readonly Edit[] {
  const isWayOut = isIfStatement(node) && !node.elseStatement && leaves(node.thenStatement);
  return isWayOut || isExpressionStatement(node) ? [replace(node, file, ';')] : [];
}

function leaves(node: Node): boolean {
  if (node.kind === SyntaxKind.Block) {
    let last: Node | undefined;
    node.forEachChild((child) => {
      last = child;
    });
    return last !== undefined && leaves(last);
  }
  return isReturnStatement(node) || isThrowStatement(node) || isBreakOrContinueStatement(node);
}

const OTHER_METHOD: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  round: 'floor',
  find: 'findLast',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  push: 'unshift',
  any: 'all',
  all: 'race',
};

function swapMethod(node: Node, file: SourceFile): readonly Edit[] {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return [];
  const { name } = node.expression;
  const other = OTHER_METHOD[name.getText(file)];
  return other === undefined ? [] : [replace(name, file, other)];
}

/** Methods that give back what they are called on, but for one thing. */
const SHAPING: ReadonlySet<string> = new Set([
  ...['toLowerCase', 'toUpperCase', 'trim', 'trimStart', 'trimEnd', 'normalize', 'toWellFormed'],
  ...['filter', 'reverse', 'toReversed', 'sort', 'toSorted', 'slice', 'subarray', 'replace', 'replaceAll', 'catch'],
]);

function dropMethod(node: Node, file: SourceFile): readonly Edit[] {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return [];
  const { name, expression } = node.expression;
  return SHAPING.has(name.getText(file)) ? [replace(node, file, expression.getText(file))] : [];
}

/** The end of a part that is taken out of something. */
function dropBound(node: Node, file: SourceFile): readonly Edit[] {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return [];
  const [first, last] = node.arguments;
  const isPart = ['slice', 'subarray', 'substring', 'split'].includes(node.expression.name.getText(file));
  return isPart && first && last ? [{ start: first.end, end: last.end, text: '' }] : [];
}
