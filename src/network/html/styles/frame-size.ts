import { type Declarations, readDeclarations } from './style-sheet.ts';

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
