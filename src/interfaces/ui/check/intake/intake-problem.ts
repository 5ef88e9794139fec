import type { MessageLink } from '#src/engine/message/message-link.ts';
import type { NonWebTarget } from '#src/engine/message/non-web-target.ts';
import type { OpenedMail } from '../../mail/opened-mail.ts';

/** Findings of the input, and the parts without any. */
export interface Intake {
  readonly links: readonly MessageLink[];
  /** Targets that are no web addresses, so that they are not checked. */
  readonly nonWeb: readonly NonWebTarget[];
  readonly problems: readonly IntakeProblem[];
  /** The message that contains them; null for other input. */
  readonly mail: OpenedMail | null;
}

/** An unreadable part, and the name of its file. */
export interface IntakeProblem {
  readonly key:
    | 'check.file.unread'
    | 'check.file.pdf'
    | 'check.file.partly'
    | 'check.file.noLink'
    | 'check.picture.noCode'
    | 'check.picture.noLink';
  readonly name: string;
  /** Text of the code, which is not a link. */
  readonly text?: string;
}

/** Returns true if a problem leaves something of the message unseen; a file that was read and holds no link is seen. */
export function isUnseen({ key }: IntakeProblem): boolean {
  return key !== 'check.file.noLink';
}
