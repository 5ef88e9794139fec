/**
 * Size of a frame in its page, as far as its attributes determine it: `window` covers the page independently of other
 * content.
 */
export type FrameSize = 'hidden' | 'part' | 'full' | 'window';

const WHOLE = /^\s*(?:100%|100d?v[wh])\s*$/i;
const NOTHING = /^\s*[01](?:px|%)?\s*$/;

/** Derives the size of a frame in its page from its attributes and inline style. */
export function frameSize(tag: string, attributes: ReadonlyMap<string, string>): FrameSize {
  if (tag === 'frame') return 'window';
  const style = declarations(attributes.get('style') ?? '');
  const [width, height] = ['width', 'height'].map((name) => style.get(name) ?? attributes.get(name) ?? '');
  if (isHidden(style) || attributes.has('hidden') || NOTHING.test(width ?? '') || NOTHING.test(height ?? '')) {
    return 'hidden';
  }
  const isStretched =
    ['top', 'right', 'bottom', 'left'].every((side) => isZero(style.get(side))) || isZero(style.get('inset'));
  const isWhole = isStretched || (WHOLE.test(width ?? '') && WHOLE.test(height ?? ''));
  if (!isWhole) return 'part';
  return style.get('position') === 'fixed' || /v[wh]/i.test(height ?? '') ? 'window' : 'full';
}

function isHidden(style: ReadonlyMap<string, string>): boolean {
  return style.get('display') === 'none' || style.get('visibility') === 'hidden';
}

function isZero(value: string | undefined): boolean {
  return value !== undefined && /^0(?:px|%)?$/.test(value);
}

/** Declarations that are read of one inline style. */
const MAX_DECLARATIONS = 40;

function declarations(style: string): ReadonlyMap<string, string> {
  return new Map(
    style.split(';', MAX_DECLARATIONS).map((declaration): [string, string] => {
      const [name = '', value = ''] = declaration.toLowerCase().replace('!important', '').split(':', 2);
      return [name.trim(), value.trim()];
    }),
  );
}
