/**
 * Tells whether a value has a shape. For the tables that every start reads: a schema would take 4 ms for the brands alone,
 * a guard takes a tenth of that. Whatever is read later, or comes from outside, is held against a schema (`json-shape.ts`).
 */
export type Guard<T> = (value: unknown) => value is T;

/** Whether it is a text that is not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Texts that a pattern matches. */
export function textLike(pattern: RegExp): Guard<string> {
  return (value): value is string => typeof value === 'string' && pattern.test(value);
}

/** Lists of such items. */
export function listWith<T>(isItem: Guard<T>): Guard<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(isItem);
}

/** Objects, each of whose members is such. */
export function mapWith<T>(isMember: Guard<T>): Guard<Record<string, T>> {
  return (value): value is Record<string, T> =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isMember);
}

/** Objects with these members; others are left alone. */
export function objectWith<T>(members: { readonly [Name in keyof T]-?: Guard<T[Name]> }): Guard<T> {
  const names = Object.keys(members) as (keyof T)[];
  return (value): value is T =>
    typeof value === 'object' && value !== null && names.every((name) => members[name]((value as Partial<T>)[name]));
}

/** The same, or undefined. */
export function optional<T>(isOne: Guard<T>): Guard<T | undefined> {
  return (value): value is T | undefined => value === undefined || isOne(value);
}

/** Whether it is a number above zero. */
export function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}
