import { SPECIAL_TOP_LABELS } from '#src/core/knowledge/hosts/special-names.ts';

const LABEL = /^[a-z0-9_-]+$/;

/** Why a name must not be resolved. */
export type NameRefusal = 'name-syntax' | 'name-length' | 'single-label' | 'special-tld';

/** Checks a lower-case ASCII name without its final dot before it is resolved; null if it may be. */
export function refuseName(name: string, allowed: readonly string[]): NameRefusal | null {
  const labels = name.split('.');
  if (labels.some((label) => label.length > 63) || name.length > 253) return 'name-length';
  if (!labels.every((label) => LABEL.test(label))) return 'name-syntax';
  const top = labels.at(-1) ?? '';
  // Some resolvers read such a name as an IPv4 address. No top-level domain is a number (RFC 3696 §2).
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(top)) return 'name-syntax';
  if (allowed.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))) return null;
  // Underscored labels (RFC 8552) hold attributes of the name below them, and do not count.
  if (labels.filter((label) => !label.startsWith('_')).length <= 1) return 'single-label';
  return SPECIAL_TOP_LABELS.has(top) ? 'special-tld' : null;
}
