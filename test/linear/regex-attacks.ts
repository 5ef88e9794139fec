import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

/** Texts that make a backtracking engine try as much as an expression lets it: a prefix, a piece that repeats, an end. */
export interface Attack {
  readonly start: string;
  readonly pump: string;
  readonly end: string;
}

/** A repetition up to fewer times cannot take long. */
const MANY = 50;

/** What no expression is likely to go on with, so that the engine goes back and tries again. */
const ENDS = ['', '\0', ' x', '\n!', '"'];

/** Characters that stand for a set: of each kind one, so that one of them is in it. */
const PROBES = [...'a0 -_./:@"\'<=>(&%;,A\n\t+#?[]{}|\\^$*~!é。\u0300\u200b'];

/** The attacks on each part of an expression that may repeat. */
export function attacksOn({ source, flags }: RegExp): Attack[] {
  const parsed = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const attacks: Attack[] = [];
  visitRegExpAST(parsed, {
    onQuantifierEnter(quantifier) {
      if (quantifier.max < MANY) return;
      const start = before(quantifier, flags);
      const pieces = samplesOf(quantifier.element, flags);
      const pumps = new Set([...pieces, pieces.slice(0, 2).join(''), ...pieces.map((piece) => start + piece)]);
      for (const pump of pumps) {
        if (pump === '') continue;
        for (const end of ENDS) {
          attacks.push({ start, pump, end });
          if (start !== '') attacks.push({ start: '', pump, end });
        }
      }
    },
  });
  return attacks;
}

/** The shortest text that an expression goes through before it comes to a node. */
function before(node: AST.Node, flags: string): string {
  const parent: AST.Node | null = node.parent;
  if (!parent) return '';
  if (parent.type !== 'Alternative') return before(parent, flags);
  const at = parent.elements.findIndex(({ start }) => start === node.start);
  return (
    before(parent, flags) +
    parent.elements
      .slice(0, at)
      .map((one) => sampleOf(one, flags))
      .join('')
  );
}

const sampleOf = (node: AST.Node, flags: string): string => samplesOf(node, flags)[0] ?? '';

/** A few texts that a node takes. */
function samplesOf(node: AST.Node, flags: string): string[] {
  switch (node.type) {
    case 'Character':
      return [String.fromCodePoint(node.value)];
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass': {
      const set = new RegExp(`^(?:${node.raw})$`, flags.replace(/[gy]/g, ''));
      return PROBES.filter((probe) => set.test(probe)).slice(0, 6);
    }
    case 'Quantifier': {
      const [first = '', second] = samplesOf(node.element, flags);
      const least = first.repeat(Math.min(node.min, 8));
      return [least, ...(node.min === 0 ? [first] : []), ...(second === undefined ? [] : [second])];
    }
    case 'Group':
    case 'CapturingGroup':
    case 'Pattern':
      return node.alternatives.flatMap((one) => samplesOf(one, flags).slice(0, 2)).slice(0, 8);
    case 'Alternative': {
      const parts = node.elements.map((element) => samplesOf(element, flags));
      const firsts = parts.map(([first = '']) => first).join('');
      const lasts = parts.map((samples) => samples.at(-1) ?? '').join('');
      return [firsts, lasts];
    }
    default:
      return [''];
  }
}
