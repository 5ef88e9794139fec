import type { Decision } from '#src/fusion/decide.ts';

/** How a verdict looks: an allowed link of which something is to be wary of is not shown as one without. */
export type Look = Decision | 'wary';
