/** Log of a check: the public history, or only the operator's private log. */
export type Visibility = (typeof VISIBILITIES)[number];

export const VISIBILITIES = ['public', 'private'] as const;
