/** What stands where a secret stood. */
export const MASK = '***';

/** How much has to go: only passwords, or everything that looks like a secret or names a person. */
export type Severity = 'passwords' | 'secrets';

/** One run of masking over the texts of a record. */
export interface Masking {
  readonly severity: Severity;
  /** Takes down each secret that was masked, as it was written, so that its echoes can be masked too. */
  readonly onSecret: (secret: string) => void;
}

/** The mask, for a text that is a secret; nothing is no secret. */
export function mask(secret: string, { onSecret }: Masking): string {
  if (secret === '') return '';
  if (secret !== MASK) onSecret(secret);
  return MASK;
}
