import { SPECIAL_TOP_LABELS } from '#src/core/knowledge/hosts/special-names.ts';

const LABEL = /^[a-z0-9_-]+$/;

/** Why a name may not be looked up. */
export type NameRefusal = 'name-syntax' | 'name-length' | 'single-label' | 'special-tld';

/** Judges a lower-case ASCII name without its final dot, before any look-up; null where DNS may be asked. */
export function refuseName(name: string, allowed: readonly string[]): NameRefusal | null {
  const labels = name.split('.');
  if (labels.some((label) => label.length > 63) || name.length > 253) return 'name-length';
  if (!labels.every((label) => LABEL.test(label))) return 'name-syntax';
  const top = labels.at(-1) ?? '';
  // Such a host is an IPv4 address to some resolvers, and no public suffix is a number (RFC 3696 §2).
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(top)) return 'name-syntax';
  if (allowed.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))) return null;
  // What is said about a name stands under an underscore before it (RFC 8552): it is as special as the name.
  if (labels.filter((label) => !label.startsWith('_')).length <= 1) return 'single-label';
  return SPECIAL_TOP_LABELS.has(top) ? 'special-tld' : null;
}
