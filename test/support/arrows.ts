/** Imports of parts that the core still has, as `FILE imports SPECIFIER`. This list only shrinks. */
export const ARROWS: readonly string[] = [];
