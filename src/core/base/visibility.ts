/** Who may learn of a check: everybody, by the public history, or the operator alone. */
export type Visibility = (typeof VISIBILITIES)[number];

/** Both. */
export const VISIBILITIES = ['public', 'private'] as const;
