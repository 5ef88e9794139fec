/** Members with the program's own words, identifiers and times. */
export const OWN_WORDS: ReadonlySet<string> = new Set(
  `kind request_id timestamp decision model_version component code status reason source via method protocol key
  signature_algorithm fingerprint_sha256 how coverage valid_from valid_to created_at updated_at expires_at`.split(
    /\s+/,
  ),
);

/** Replacement of a secret. */
export const MASK = '***';

/** Severity of masking: only passwords, or everything that looks like a secret or names a person. */
export type Severity = 'passwords' | 'secrets';

/** A run of masking over the texts of a record. */
export interface Masking {
  readonly severity: Severity;
  /** The masked secrets as written, so that their echoes can be masked too. */
  readonly secrets: Set<string>;
  /** Result for each piece, by depth: a hostile URL repeats pieces, and changed ones are redacted again. */
  readonly pieces: Map<string, string>[];
  /** True once a text beside the checked URL was scanned. */
  hasScannedText: boolean;
  /** An earlier run for secrets: what it left unchanged, or did not scan, has no password either. */
  readonly earlier: Masking | null;
}

/** Starts a run. */
export function startMasking(severity: Severity, earlier: Masking | null = null): Masking {
  return { severity, secrets: new Set(), pieces: [], hasScannedText: false, earlier };
}

/** Records a secret and returns its mask; empty text stays empty. */
export function mask(secret: string, { secrets }: Masking): string {
  if (secret === '') return '';
  if (secret !== MASK) secrets.add(secret);
  return MASK;
}

/** Maximum number of secrets; searching for the echoes of more would take too long. */
const MAX_SECRETS = 32;

/** Returns true if there are so many secrets that texts are masked completely. */
export function areTooMany(secrets: ReadonlySet<string>): boolean {
  return secrets.size > MAX_SECRETS;
}

/** Masks single texts of a result. */
export interface TextMask {
  /** Returns false if neither a text nor a part of it has anything to mask. */
  mayChange(text: string): boolean;
  /** Returns a text for which {@link mayChange} is true as it is shown. */
  change(text: string): string;
}
