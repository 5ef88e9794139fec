import type { MessageAnswer } from '#src/service/server/message/message-answer.ts';
import type { OpenedMail } from './opened-mail.ts';

/** The choices for a mail, and the mail. */
export interface MailOrder {
  readonly mail: OpenedMail;
  readonly source: Uint8Array<ArrayBuffer>;
  readonly isPrivate: boolean;
  readonly visit: boolean;
}

/** Check of a mail as a whole, which is sent to the service. */
export interface MailCheck extends MailOrder {
  /** Null until the service has answered, and if it did not. */
  answer: MessageAnswer | null;
  /** True if the service did not answer. */
  isRefused: boolean;
}

/** Creates a check that has not begun; null if the mail is too large to be sent. */
export function mailCheck(
  mail: OpenedMail,
  { isPrivate, visit }: Pick<MailOrder, 'isPrivate' | 'visit'>,
): MailCheck | null {
  const { source } = mail;
  return source && { mail, source, isPrivate, visit, answer: null, isRefused: false };
}
