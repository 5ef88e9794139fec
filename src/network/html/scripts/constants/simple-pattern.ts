import type { PatternValue } from './script-value.ts';

const MAX_PATTERN = 24;

/** A character, an escape or a class. */
const ATOM = String.raw`(?:\\(?:x[\da-f]{2}|u[\da-f]{4}|[^1-9kpPxu])|\[(?:\\.|[^\]\\])+\]|[^\\[\](){}*+?|])`;
const SEQUENCE = new RegExp(`^(?:${ATOM}|\\((?:\\?:)?|\\)){1,${MAX_PATTERN}}$`);
const REPEATED = new RegExp(`^\\(?${ATOM}(?:\\+|\\{(?:1,)?[1-4]\\})\\)?$`);

/**
 * Compiles a regular expression of a script if it is so simple that it takes time linear in the text; null for any
 * other. Allowed are sequences without repetition, and one repeated character or class by itself.
 */
export function simplePattern({ source, flags }: PatternValue): RegExp | null {
  if (source.length > MAX_PATTERN || !/^[gimsuy]{0,6}$/.test(flags)) return null;
  if (!SEQUENCE.test(source) && !REPEATED.test(source)) return null;
  try {
    return new RegExp(source, flags);
  } catch {
    return null;
  }
}
