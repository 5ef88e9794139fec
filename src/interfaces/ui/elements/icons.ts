import { svg } from './dom.ts';
import type { Look } from './look.ts';

const STROKE = {
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': 2.4,
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
} as const;

/** Each verdict has its own shape, so that it is recognisable without its colour. */
const SHAPES: Readonly<Record<Look, { readonly outline: string; readonly sign: string }>> = {
  allow: { outline: 'M16 3a13 13 0 1 0 0 26a13 13 0 1 0 0-26z', sign: 'M10.5 16.5l4 4 7.5-8.5' },
  caution: { outline: 'M16 3a13 13 0 1 0 0 26a13 13 0 1 0 0-26z', sign: 'M16 9v9M16 22.6v.1' },
  unseen: {
    outline: 'M9 3h14a6 6 0 0 1 6 6v14a6 6 0 0 1-6 6H9a6 6 0 0 1-6-6V9a6 6 0 0 1 6-6z',
    sign: 'M16 15v8M16 9.3v.1',
  },
  warn: { outline: 'M16 3.5L30 28H2z', sign: 'M16 12v7M16 23.6v.1' },
  block: { outline: 'M10.6 3h10.8L29 10.6v10.8L21.4 29H10.6L3 21.4V10.6z', sign: 'M11.5 11.5l9 9M20.5 11.5l-9 9' },
};

/** The sign of a verdict; the words beside it say the same. */
export function decisionIcon(look: Look): SVGSVGElement {
  const { outline, sign } = SHAPES[look];
  return svg(
    'svg',
    { class: 'decision-icon', viewBox: '0 0 32 32', 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: outline, class: 'outline' }),
    svg('path', { d: sign, class: 'sign', ...STROKE }),
  );
}

/** The mark of the product: a hook. */
export function mark(): SVGSVGElement {
  return svg(
    'svg',
    { class: 'mark', viewBox: '2 1 24 26', 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: 'M20 5.5v13.2a6 6 0 0 1-12 0V15l5 4.6', ...STROKE }),
    svg('circle', { cx: 20, cy: 5, r: 2.6, fill: 'currentColor' }),
  );
}
