/**
 * The preference of a name, which outlives the page; reading `storage` may throw. Links and results are never stored
 * this way.
 */
export function preference(
  name: 'language' | 'theme' | 'visibility' | 'details' | 'steps',
  storage = () => localStorage,
) {
  const key = `lurecheck.${name}`;
  return {
    /** Returns the stored choice; null if there is none or the browser stores nothing. */
    read() {
      try {
        return storage().getItem(key);
      } catch {
        return null; // Storage is forbidden in some private modes; the choice then lasts as long as the page.
      }
    },
    write(value: string | null) {
      try {
        if (value === null) storage().removeItem(key);
        else storage().setItem(key, value);
      } catch {
        // As above.
      }
    },
  };
}
