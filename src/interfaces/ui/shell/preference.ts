/** A choice of the reader that outlives the page. Never a link is kept this way, never a result. */
export interface Preference {
  /** Returns the stored choice; null if there is none or the browser stores nothing. */
  read(): string | null;
  write(value: string | null): void;
}

/** The preference of a name; reading `storage` may throw. */
export function preference(
  name: 'language' | 'theme' | 'visibility' | 'details' | 'steps',
  storage = () => localStorage,
): Preference {
  const key = `lurecheck.${name}`;
  return {
    read() {
      try {
        return storage().getItem(key);
      } catch {
        return null; // Storage is forbidden in some private modes; the choice then lasts as long as the page.
      }
    },
    write(value) {
      try {
        if (value === null) storage().removeItem(key);
        else storage().setItem(key, value);
      } catch {
        // As above.
      }
    },
  };
}
