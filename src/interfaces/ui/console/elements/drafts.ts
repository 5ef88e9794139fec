/** Unsent input of forms, in the memory of this page only; never a secret. */
const typed = new Map<string, string>();

/** Returns the unsent input of a field, or else `value`. */
export function draftOf(id: string, value: string): string {
  return typed.get(id) ?? value;
}

/** Remembers what is typed into a field, so that it outlives a reload of the screen, an expiry, and another language. */
export function keepDraft(id: string, value: string): void {
  typed.set(id, value);
}

/** Forgets the drafts of one form; without its name, all. */
export function dropDrafts(form = ''): void {
  for (const id of [...typed.keys()]) if (id.startsWith(form)) typed.delete(id);
}
