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

/** Declarations by property, lower case. */
export type Declarations = ReadonlyMap<string, string>;

/** Characters of style elements that are read. */
const MAX_CHARACTERS = 64 * 1024;
/** Maximum number of declarations of one rule. */
const MAX_DECLARATIONS = 40;

/** Class, id or element name at the end of a selector without a pseudo-class. */
const SUBJECT = /(?:^|[\s>+~\w-])([.#]?[a-z_][\w-]{0,63})$/i;

/**
 * Returns the declarations of style elements by the last simple selector of each rule: `.name`, `#name` or an element
 * name. Later rules win; what a selector demands besides, and conditions, are taken as met.
 *
 * @param wanted selectors that are read
 */
export function readStyleRules(styles: string, wanted: ReadonlySet<string>): ReadonlyMap<string, Declarations> {
  const rules = new Map<string, Map<string, string>>();
  for (const { selectors, block } of readStyleSheet(styles.slice(0, MAX_CHARACTERS))) {
    const subjects = selectors
      .map((selector) => SUBJECT.exec(selector.slice(-80))?.[1] ?? '')
      .filter((one) => wanted.has(one));
    const declarations = subjects.length === 0 ? [] : [...readDeclarations(block)];
    for (const subject of subjects) {
      const known = rules.get(subject) ?? new Map<string, string>();
      for (const [property, value] of declarations) known.set(property, value);
      rules.set(subject, known);
    }
  }
  return rules;
}

/** Returns the declarations of an inline style or of one rule. */
function readDeclarations(style: string): Declarations {
  return new Map(
    style.split(';', MAX_DECLARATIONS).map((declaration): [string, string] => {
      const [name = '', value = ''] = declaration.toLowerCase().replace('!important', '').split(':', 2);
      return [name.trim(), value.trim()];
    }),
  );
}

/**
 * Size of a frame in its page, as far as its attributes and the style elements of the page determine it: `window` covers
 * the page independently of other content.
 */
export type FrameSize = 'hidden' | 'part' | 'full' | 'window';

/** A frame's element. */
export interface FrameElement {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
}

const WHOLE = /^\s*(?:100%|100[dls]?v(?:[wh]|max))\s*$/i;
const NOTHING = /^\s*[01](?:px|%)?\s*$/;

/** Maximum number of classes of an element that are looked up. */
const MAX_CLASSES = 16;

/**
 * Derives the size of a frame in its page.
 *
 * @param rules declarations by simple selector, see `readStyleRules`.
 */
export function frameSize({ tag, attributes }: FrameElement, rules: ReadonlyMap<string, Declarations>): FrameSize {
  if (tag === 'frame') return 'window';
  const style = new Map([
    ...selectorsOf({ tag, attributes }).flatMap((selector) => [...(rules.get(selector) ?? [])]),
    ...readDeclarations(attributes.get('style') ?? ''),
  ]);
  const [width, height] = ['width', 'height'].map((name) => style.get(name) ?? attributes.get(name) ?? '');
  if (isHidden(style) || attributes.has('hidden') || NOTHING.test(width ?? '') || NOTHING.test(height ?? '')) {
    return 'hidden';
  }
  const isStretched =
    ['top', 'right', 'bottom', 'left'].every((side) => isZero(style.get(side))) || isZero(style.get('inset'));
  const isWhole = isStretched || (WHOLE.test(width ?? '') && WHOLE.test(height ?? ''));
  if (!isWhole) return 'part';
  // Videos fill a positioned element around them; what lies over the page has a level of its own.
  const isAbove = style.get('position') === 'absolute' && Number(style.get('z-index')) > 0;
  return style.get('position') === 'fixed' || isAbove || /v[wh]/i.test(height ?? '') ? 'window' : 'full';
}

/** Returns the simple selectors whose declarations apply to a frame, the last of which wins. */
export function selectorsOf({ tag, attributes }: FrameElement): string[] {
  const classes = (attributes.get('class') ?? '').slice(0, 1024).split(/\s+/, MAX_CLASSES);
  return [tag, ...classes.map((name) => `.${name}`), `#${attributes.get('id') ?? ''}`];
}

function isHidden(style: Declarations): boolean {
  return style.get('display') === 'none' || style.get('visibility') === 'hidden';
}

function isZero(value: string | undefined): boolean {
  return value !== undefined && /^0(?:px|%)?$/.test(value);
}
