/** Who may learn of a check: everybody, by the public history, or the operator alone. */
export type Visibility = 'public' | 'private';
