import { preference } from '../shell/preference.ts';

const stored = preference('visibility');

/** Returns true if checks are private as the reader had it remembered; null where that was not asked for. */
export function rememberedPrivate(): boolean | null {
  const value = stored.read();
  return value === 'private' || value === 'public' ? value === 'private' : null;
}

/** Remembers the choice, or, for null, none. */
export function rememberPrivate(isPrivate: boolean | null): void {
  stored.write(isPrivate === null ? null : isPrivate ? 'private' : 'public');
}
