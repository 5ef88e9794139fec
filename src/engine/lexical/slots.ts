/** Returns the index of each column within its block, so that rows are written by name. */
export function slotsOf<const Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, index) => [name, index])) as Record<Name, number>;
}
