/** A rule of a style sheet. */
export interface StyleRule {
  readonly selectors: readonly string[];
  readonly block: string;
  /** False if a condition decides whether the rule applies. */
  readonly isUnconditional: boolean;
}

/** Conditions that every screen meets. */
const MET = /^@(?:media\s+(?:all|screen|only screen)|layer\b[^,]*)\s*$/i;
/** Selectors that are read of one rule. */
const MAX_SELECTORS = 100;

/** Groups within groups that are read. */
const MAX_NESTING = 8;

/** Yields the rules of a style sheet, in order and in time linear in its length; what is not closed is left out. */
export function* readStyleSheet(text: string): Generator<StyleRule> {
  const source = withoutComments(text);
  /** For each open group of rules: true if it applies. */
  const groups: boolean[] = [];
  for (let at = 0; at < source.length; ) {
    const open = source.indexOf('{', at);
    const close = source.indexOf('}', at);
    if (close !== -1 && (open === -1 || close < open)) {
      groups.pop();
      at = close + 1;
      continue;
    }
    if (open === -1) return;
    // A statement such as `@import` ends before the selectors.
    const before = source.slice(at, open);
    const prelude = before.slice(before.lastIndexOf(';') + 1).trim();
    at = open + 1;
    if (/^@(?:media|supports|layer|container|scope)/i.test(prelude)) {
      if (groups.length >= MAX_NESTING) return;
      groups.push(MET.test(prelude));
    } else {
      const end = source.indexOf('}', at);
      if (end === -1) return;
      const isUnconditional = groups.every(Boolean);
      if (!prelude.startsWith('@'))
        yield {
          selectors: prelude.split(',', MAX_SELECTORS).map((one) => one.trim()),
          block: source.slice(at, end),
          isUnconditional,
        };
      // Frames of an animation have blocks of their own.
      at = prelude.startsWith('@') ? endOfBlocks(source, at) : end + 1;
    }
  }
}

/** Returns the index behind the `}` that closes a block with blocks inside. */
function endOfBlocks(source: string, from: number): number {
  let depth = 1;
  let at = from;
  while (depth > 0) {
    const close = source.indexOf('}', at);
    if (close === -1) return source.length;
    depth += source.slice(at, close).split('{').length - 2;
    at = close + 1;
  }
  return at;
}

function withoutComments(text: string): string {
  const [first = '', ...others] = text.replace(/<!--|-->/g, ' ').split('/*');
  return [first, ...others.map((piece) => (piece.includes('*/') ? piece.slice(piece.indexOf('*/') + 2) : ''))].join('');
}
