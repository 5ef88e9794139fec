import type { AuthenticationTrust } from '#src/engine/message/authentication-results.ts';
import type { Message } from '#src/engine/message/message.ts';
import type { MailLinks } from './mail-links.ts';

/** Message to a thread that reads messages. */
export interface MessageTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly name: string;
  /** Processor time after which the thread leaves out what it has not read yet, in milliseconds. */
  readonly budgetMs: number;
  /** Time after which it does so as well, in milliseconds. */
  readonly untilMs: number;
  /** Servers whose authentication results may be believed. */
  readonly trust: AuthenticationTrust;
  /** `links`: the answer is {@link MailLinks}. */
  readonly wants: 'message' | 'links';
}

/** Answer of that thread; null if the input is no text. */
export interface MessageThreadAnswer {
  /** True if more is being read, and another answer follows. */
  readonly isPart: boolean;
  readonly result: Message | MailLinks | null;
}
