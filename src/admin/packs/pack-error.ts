/** Why a pack is refused. A code is never renamed. */
export type PackFault =
  /** It is no pack, or no file. */
  | 'not_a_pack'
  /** Its layout, or what it needs, is that of a newer program. */
  | 'newer_format'
  | 'cut_short'
  /** There is more in it than its manifest names, or something else. */
  | 'damaged'
  | 'not_signed'
  /** Its signature is not that of the key beside it. */
  | 'forged'
  /** Nobody here trusts the key; it was trusted once; it was replaced by another. */
  | 'unknown_key'
  | 'revoked_key'
  | 'replaced_key'
  /** It is signed by another publisher than the pack of its name that is kept. */
  | 'other_publisher'
  | 'expired'
  | 'from_the_future'
  /** A newer one, or another one of its version, is in force or was taken back. */
  | 'not_newer'
  /** What it holds cannot be used by this program, or beside the other packs. */
  | 'unusable';

/** A pack is refused; the message says why, in words for whoever carried it here. */
export class PackError extends Error {
  override readonly name = 'PackError';
  readonly code: PackFault;

  constructor(code: PackFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
