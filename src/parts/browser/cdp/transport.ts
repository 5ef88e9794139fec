import type { SplitMessages } from './message-splitter.ts';

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
