/** What stands where a secret stood. */
export const MASK = '***';

/** How much has to go: only passwords, or everything that looks like a secret or names a person. */
export type Severity = 'passwords' | 'secrets';

/** One run of masking over the texts of a record. */
export interface Masking {
  readonly severity: Severity;
  /** Each secret that was masked, as it was written, so that its echoes can be masked too. */
  readonly secrets: Set<string>;
  /** What became of each piece, by how deep it stood: a hostile URL repeats them, and what changed is looked at again. */
  readonly pieces: Map<string, string>[];
  /** An earlier run, for secrets: where it found none there is no password either. */
  readonly earlier: Masking | null;
}

/** Begins a run. */
export function startMasking(severity: Severity, earlier: Masking | null = null): Masking {
  return { severity, secrets: new Set(), pieces: [], earlier };
}

/** The mask, for a text that is a secret; nothing is no secret. */
export function mask(secret: string, { secrets }: Masking): string {
  if (secret === '') return '';
  if (secret !== MASK) secrets.add(secret);
  return MASK;
}

/** A URL with more secrets is no ordinary one: to look for their echoes in every text would take too long. */
const MAX_SECRETS = 32;

/** Whether so many secrets were found that nothing is left of any text, and looking for more is in vain. */
export function areTooMany(secrets: ReadonlySet<string>): boolean {
  return secrets.size > MAX_SECRETS;
}
