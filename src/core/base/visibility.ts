/** Whether a check appears in the public history, or only in the operator's private log. */
export type Visibility = (typeof VISIBILITIES)[number];

export const VISIBILITIES = ['public', 'private'] as const;
