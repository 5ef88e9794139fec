import { displayName } from '#src/core/url/confusable.ts';

/** Returns an entry with its host as a person writes it; null if that is as it is stored. */
export function writtenEntry(entry: string): string | null {
  const written = entry
    .split(/(?<=[/:])|(?=[/:])/)
    .map((part) => (part.includes('xn--') ? displayName(part) : part))
    .join('');
  return written === entry ? null : written;
}
