import type { DocumentSnapshot } from '../cdp/protocol.ts';

/** Computed styles that a snapshot has of each node, in this order. */
export const SNAPSHOT_STYLES = [
  'visibility',
  'opacity',
  'overflow-y',
  'font-size',
  'color',
  'background-image',
] as const;

/** A node as it was laid out. */
export interface NodeLayout {
  /** Left, top, width and height, in CSS pixels of its document. */
  readonly box: readonly [number, number, number, number];
  /** Text as shown, after `text-transform`; null for elements. */
  readonly text: string | null;
  readonly isVisible: boolean;
  /** Opacity of the element itself. */
  readonly opacity: number;
  /** True if hardly anything of its content fits into it. */
  readonly isClipped: boolean;
  /** Address of its background picture; null if it has none. */
  readonly background: string | null;
}

/** Minimum opacity of visible text, from 0 to 1. */
const LEAST_OPACITY = 0.05;
/** Minimum font size of visible text, in CSS pixels. */
const LEAST_FONT = 3;

const TRANSPARENT = /^(?:transparent|rgba\([^)]*, 0(?:\.0\d*)?\))$/;

/** Returns the layout of the nodes that have one, by the number of the node. */
export function nodeLayouts({ layout }: DocumentSnapshot, strings: readonly string[]): Map<number, NodeLayout> {
  const laidOut = new Map<number, NodeLayout>();
  layout.nodeIndex.forEach((node, at) => {
    // Pseudo-elements follow their element under a number of their own; the first part of a node stands for all.
    if (laidOut.has(node)) return;
    const [visibility = '', opacity = '1', overflow = '', font = '', color = '', background = ''] = (
      layout.styles[at] ?? []
    ).map((index) => strings[index]);
    const [left = 0, top = 0, width = 0, height = 0] = layout.bounds[at] ?? [];
    const [, picture = null] = /^url\("(https?:[^"]{1,2000})"\)/.exec(background) ?? [];
    laidOut.set(node, {
      box: [left, top, width, height],
      text: strings[layout.text[at] ?? -1] ?? null,
      isVisible: visibility !== 'hidden' && visibility !== 'collapse' && !isUnreadable(font, color),
      opacity: Number(opacity),
      isClipped: (overflow === 'hidden' || overflow === 'clip') && (width <= 1 || height <= 1),
      background: picture,
    });
  });
  return laidOut;
}

function isUnreadable(font: string, color: string): boolean {
  return Number.parseFloat(font) < LEAST_FONT || TRANSPARENT.test(color);
}

/** Returns true if something with this much opacity is seen. */
export function isOpaque(opacity: number): boolean {
  return opacity >= LEAST_OPACITY;
}

/** Returns true if an area has a size and is not left of or above its document. */
export function isInView([left, top, width, height]: NodeLayout['box']): boolean {
  return width > 0 && height > 0 && left + width > 0 && top + height > 0;
}
