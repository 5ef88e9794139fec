import type { Decision } from '#src/engine/fusion/fuse.ts';

/**
 * Look of a verdict. `caution`: allowed, with a signal that needs attention; `unseen`: allowed by its link, and the
 * page was not to be visited.
 */
export type Look = Decision | 'caution' | 'unseen';
