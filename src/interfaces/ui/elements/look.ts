import type { Decision } from '#src/engine/fusion/decide.ts';

/** How a verdict looks. `caution`: allowed, with a signal that a person should see; `unseen`: allowed by its link, and its page was not to be visited. */
export type Look = Decision | 'caution' | 'unseen';
