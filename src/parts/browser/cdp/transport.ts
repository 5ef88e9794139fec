/** Receives the parts of a stream of messages that end with NUL. */
export interface SplitMessages {
  message(text: string): void;
  /** Called once for a message that is too long, with its first characters; the rest of it is dropped. */
  tooLong(head: string): void;
}

/** Receives what a browser sends. */
export interface CdpReceiver extends SplitMessages {
  /** Called once when nothing comes any more. */
  closed(): void;
}

/** A connection to a browser. Disposing of it closes it. */
export interface CdpTransport extends Disposable {
  send(message: string): void;
  /** Passes on what the browser sends from now on; called once. */
  receive(receiver: CdpReceiver): void;
}

/** Maximum size of a message of the browser, in bytes; a snapshot of a large shop has some 3 MB. */
export const MAX_CDP_BYTES = 32 * 1024 * 1024;

/** Causes of a failed command: the connection is closed, no answer in time, an error, or too long an answer. */
export type CdpErrorCode = 'closed' | 'timeout' | 'refused' | 'too_long';

/** A command to a browser failed. */
export class CdpError extends Error {
  override readonly name = 'CdpError';
  readonly code: CdpErrorCode;

  constructor(code: CdpErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
