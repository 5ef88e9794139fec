import type { CodedError } from '#src/core/base/errors/operation-error.ts';

/** Reasons why a pack is refused. Codes are never renamed. */
export type PackFault =
  | 'not_a_pack'
  /** Requires a newer program. */
  | 'newer_format'
  | 'cut_short'
  /** Its content differs from its manifest. */
  | 'damaged'
  | 'not_signed'
  /** Its signature does not match its key. */
  | 'forged'
  /** The key is not trusted; was revoked; was replaced. */
  | 'unknown_key'
  | 'revoked_key'
  | 'replaced_key'
  /** Another publisher signed the active pack of this name. */
  | 'other_publisher'
  | 'expired'
  | 'from_the_future'
  /** A newer pack, or another of the same version, is active or was withdrawn. */
  | 'not_newer'
  /** This program cannot use its contents, or not together with the other packs. */
  | 'unusable';

/** Faults of the file itself, which no state of the service changes. */
const OF_FILE: readonly PackFault[] = [
  ...(['not_a_pack', 'newer_format', 'cut_short', 'damaged', 'not_signed', 'forged'] as const),
];

/** Thrown if a pack is refused. The message is for the operator who installs it. */
export class PackError extends Error implements CodedError {
  override readonly name = 'PackError';
  readonly code: PackFault;
  readonly errorCode: 'pack_invalid' | 'pack_refused';
  readonly clientText: string;

  constructor(code: PackFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.errorCode = OF_FILE.includes(code) ? 'pack_invalid' : 'pack_refused';
    this.clientText = `the pack is refused: ${message}`;
  }
}
