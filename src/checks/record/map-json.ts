/** Maps items; returns the same list if none changed. */
export function mapItems(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  let changed: unknown[] | null = null;
  for (let i = 0; i < items.length; i++) {
    const mapped = change(items[i]);
    if (mapped === items[i]) continue;
    changed ??= [...items];
    changed[i] = mapped;
  }
  return changed ?? items;
}

/** Maps members; returns the same object if none changed. */
export function mapMembers(
  members: Readonly<Record<string, unknown>>,
  change: (member: unknown, name: string) => unknown,
): Readonly<Record<string, unknown>> {
  let changed: Record<string, unknown> | null = null;
  for (const name in members) {
    const mapped = change(members[name], name);
    if (mapped === members[name]) continue;
    changed ??= { ...members };
    changed[name] = mapped;
  }
  return changed ?? members;
}
