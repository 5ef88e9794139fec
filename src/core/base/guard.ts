/**
 * A type guard, for the tables that are read at every start: a schema would take 4 ms for the brands alone, a guard
 * takes a tenth of that. Data that is read later or comes from outside is validated by a schema (`json-shape.ts`).
 */
export type Guard<T> = (value: unknown) => value is T;

/** Returns whether a value is a non-empty string. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Guard for strings that match a pattern. */
export function textLike(pattern: RegExp): Guard<string> {
  return (value): value is string => typeof value === 'string' && pattern.test(value);
}

/** Guard for arrays of such items. */
export function listWith<T>(isItem: Guard<T>): Guard<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(isItem);
}

/** Guard for objects with such members. */
export function mapWith<T>(isMember: Guard<T>): Guard<Record<string, T>> {
  return (value): value is Record<string, T> =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isMember);
}

/** Guard for objects with these members; others are ignored. */
export function objectWith<T>(members: { readonly [Name in keyof T]-?: Guard<T[Name]> }): Guard<T> {
  const names = Object.keys(members) as (keyof T)[];
  return (value): value is T =>
    typeof value === 'object' && value !== null && names.every((name) => members[name]((value as Partial<T>)[name]));
}

/** Guard for such a value or undefined. */
export function optional<T>(isOne: Guard<T>): Guard<T | undefined> {
  return (value): value is T | undefined => value === undefined || isOne(value);
}

/** Returns whether a value is a number above zero. */
export function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

/** Returns whether a JSON value is an object, and not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
