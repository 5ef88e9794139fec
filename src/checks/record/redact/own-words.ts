/** Members with the program's own words, identifiers and times. */
export const OWN_WORDS: ReadonlySet<string> = new Set(
  `kind request_id timestamp decision model_version component code status reason source via method protocol key
  signature_algorithm fingerprint_sha256 how coverage valid_from valid_to created_at updated_at expires_at`.split(
    /\s+/,
  ),
);
