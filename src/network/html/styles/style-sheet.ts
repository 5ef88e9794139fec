/** A rule of a style sheet. */
export interface StyleRule {
  readonly selectors: readonly string[];
  readonly block: string;
  /** False if a condition decides whether the rule applies. */
  readonly isUnconditional: boolean;
}

/** A rule or a group of rules whose end was not read yet. */
interface OpenBlock {
  /** Null for what has no rules: the frames of an animation, a font. */
  readonly kind: 'group' | 'rule' | null;
  readonly prelude: string;
  readonly isUnconditional: boolean;
  /** Declarations, without those of nested rules. */
  block: string;
}

const GROUP = /^@(?:media|supports|layer|container|scope)/i;
/** Conditions that every screen meets. */
const MET = /^@(?:media\s+(?:all|screen|only screen)|layer\b[^,]*)\s*$/i;
/** Selectors that are read of one rule. */
const MAX_SELECTORS = 100;

/** Blocks within blocks that are read; deeper ones are passed over. */
const MAX_NESTING = 8;

/**
 * Yields the rules of a style sheet as they end, in time linear in its length; what is not closed is left out. A rule
 * within another one depends on it, as on a condition.
 */
export function* readStyleSheet(text: string): Generator<StyleRule> {
  const source = withoutComments(text);
  const open: OpenBlock[] = [];
  let at = 0;
  for (const { index, 0: brace } of source.matchAll(/[{}]/g)) {
    const before = source.slice(at, index);
    at = index + 1;
    if (brace === '{') {
      open.push(beginBlock(before, open.at(-1), open.length < MAX_NESTING));
      continue;
    }
    const ended = open.pop();
    if (ended?.kind !== 'rule') continue;
    yield {
      selectors: ended.prelude.split(',', MAX_SELECTORS).map((one) => one.trim()),
      block: ended.block + before,
      isUnconditional: ended.isUnconditional,
    };
  }
}

function beginBlock(before: string, outer: OpenBlock | undefined, isRead: boolean): OpenBlock {
  // Declarations, or a statement such as `@import`, end before the selectors.
  const start = before.lastIndexOf(';') + 1;
  if (outer) outer.block += before.slice(0, start);
  const prelude = before.slice(start).trim();
  const isGroup = GROUP.test(prelude);
  const kind = !isRead || outer?.kind === null ? null : isGroup ? 'group' : prelude.startsWith('@') ? null : 'rule';
  const isMet = outer === undefined || (outer.kind === 'group' && outer.isUnconditional);
  return { kind, prelude, isUnconditional: isMet && (!isGroup || MET.test(prelude)), block: '' };
}

function withoutComments(text: string): string {
  const [first = '', ...others] = text.replace(/<!--|-->/g, ' ').split('/*');
  return [first, ...others.map((piece) => (piece.includes('*/') ? piece.slice(piece.indexOf('*/') + 2) : ''))].join('');
}
