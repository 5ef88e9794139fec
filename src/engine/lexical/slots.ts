/** Where each of some columns lies behind the first of them: a row is written by their names, never by counting. */
export function slotsOf<const Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, index) => [name, index])) as Record<Name, number>;
}
