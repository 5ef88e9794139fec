import type { Decision } from '#src/engine/fusion/decide.ts';

/** How a verdict looks. `caution`: allowed, with a signal that a person should see; `unseen`: allowed, and its page was not seen. */
export type Look = Decision | 'caution' | 'unseen';
