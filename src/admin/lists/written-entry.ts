import { displayName } from '#src/core/url/confusable.ts';

const ENCODED_HOST = /[^/:]*xn--[^/:]*/;

/** Returns an entry with its host as a person writes it; null if that is as it is stored. */
export function writtenEntry(entry: string): string | null {
  if (!entry.includes('xn--')) return null;
  const written = entry.replace(ENCODED_HOST, displayName);
  return written === entry ? null : written;
}
